package social.feed.api.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** Cancels the response as soon as the headers arrive. */
final class UnreadPages implements BodySubscriber<String> {

  @Override
  public CompletionStage<String> getBody() {
    return CompletableFuture.completedFuture("");
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    subscription.cancel();
  }

  @Override
  public void onNext(List<ByteBuffer> part) {}

  @Override
  public void onError(Throwable failure) {}

  @Override
  public void onComplete() {}
}
