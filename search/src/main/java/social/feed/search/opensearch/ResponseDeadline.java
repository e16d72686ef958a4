package social.feed.search.opensearch;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncDataConsumer;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;

/**
 * Ends an exchange that is not over after its response timeout, and closes its connection. The
 * client itself counts this time from one byte to the next, so a server that sends a byte now and
 * then would keep a connection for as long as it likes.
 */
final class ResponseDeadline implements AsyncExecChainHandler {
  /** Completed with the exchange, and exceptionally at its deadline. */
  private record Watched(AsyncExecCallback callback, CompletableFuture<Void> over)
      implements AsyncExecCallback {
    @Override
    public AsyncDataConsumer handleResponse(HttpResponse response, EntityDetails entity)
        throws HttpException, IOException {
      return callback.handleResponse(response, entity);
    }

    @Override
    public void handleInformationResponse(HttpResponse response) throws HttpException, IOException {
      callback.handleInformationResponse(response);
    }

    @Override
    public void completed() {
      over.complete(null);
      callback.completed();
    }

    @Override
    public void failed(Exception cause) {
      boolean isInTime = over.complete(null);
      callback.failed(
          isInTime ? cause : new SocketTimeoutException("The response was not whole in time"));
    }
  }

  @Override
  public void execute(
      HttpRequest request,
      AsyncEntityProducer entity,
      AsyncExecChain.Scope scope,
      AsyncExecChain chain,
      AsyncExecCallback callback)
      throws HttpException, IOException {
    var limit = scope.clientContext.getRequestConfigOrDefault().getResponseTimeout();
    var over = new CompletableFuture<Void>();
    var _ =
        over.orTimeout(limit.toMilliseconds(), TimeUnit.MILLISECONDS)
            .exceptionally(
                _ -> {
                  scope.execRuntime.discardEndpoint();
                  return null;
                });
    chain.proceed(request, entity, scope, new Watched(callback, over));
  }
}
