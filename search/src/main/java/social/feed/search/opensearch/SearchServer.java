package social.feed.search.opensearch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.opensearch.client.json.jackson.JacksonJsonpMapper;
import org.opensearch.client.opensearch.generic.Bodies;
import org.opensearch.client.opensearch.generic.OpenSearchGenericClient;
import org.opensearch.client.opensearch.generic.Requests;
import org.opensearch.client.opensearch.generic.Response;
import org.opensearch.client.transport.OpenSearchTransport;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5Options;
import org.opensearch.client.transport.httpclient5.ApacheHttpClient5TransportBuilder;
import org.opensearch.client.transport.httpclient5.ResponseException;
import social.feed.search.SearchTimeoutException;

/** Calls a server of OpenSearch through its own client, with bodies in JSON. */
final class SearchServer implements Closeable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BAD_REQUEST = 400;

  /**
   * How long a write or a read of many states may take, to its last byte, which is much longer than
   * a search. A server that hangs holds its callers no longer.
   */
  private static final Duration RESPONSE = Duration.ofSeconds(10);

  /** The wait for a connection that another call uses. */
  private static final Duration CONNECTION = Duration.ofSeconds(2);

  private final Duration longest;

  /** Returns the client for a call of a limit. */
  private final Function<Duration, OpenSearchGenericClient> limiting;

  private final ServerAddress address;
  private final List<Closeable> open;

  private SearchServer(
      ServerAddress address,
      OpenSearchTransport transport,
      Duration response,
      Closeable below,
      BiFunction<OpenSearchGenericClient, Duration, OpenSearchGenericClient> limiting) {
    this.address = address;
    this.longest = response.plus(CONNECTION);
    var client = new OpenSearchGenericClient(transport);
    this.limiting = limit -> limiting.apply(client, limit);
    this.open = List.of(transport, below);
  }

  /** Returns a server, which is not called yet. */
  static SearchServer at(ServerAddress address) {
    return at(address, RESPONSE);
  }

  /**
   * Returns a server, which is not called yet.
   *
   * @param response how long a call may take that is no search
   */
  static SearchServer at(ServerAddress address, Duration response) {
    if (address.region().isEmpty()) {
      var transport = plain(address.url(), Timeout.of(response));
      return new SearchServer(
          address,
          transport,
          response,
          () -> {},
          (client, limit) -> limited(client, limit, response));
    }
    var http = SignedTransport.newClient(CONNECTION, response);
    var transport = SignedTransport.of(http, address, address.region().get());
    return through(transport, http, address, response);
  }

  /**
   * Returns a server behind a transport.
   *
   * @param http closed with the server
   * @param response how long a call may take that is no search
   */
  static SearchServer through(
      OpenSearchTransport transport, AutoCloseable http, ServerAddress address, Duration response) {
    // A call that is given up interrupts this client, which then leaves its connection.
    return new SearchServer(address, transport, response, () -> close(http), (client, _) -> client);
  }

  private static void close(AutoCloseable http) throws IOException {
    try {
      http.close();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** A call that is given up would go on in this client, so the client has the limit as well. */
  private static OpenSearchGenericClient limited(
      OpenSearchGenericClient client, Duration limit, Duration response) {
    var config =
        RequestConfig.custom()
            .setConnectionRequestTimeout(shorter(limit, CONNECTION))
            .setResponseTimeout(shorter(limit, response))
            .build();
    return client.withTransportOptions(
        ApacheHttpClient5Options.DEFAULT.toBuilder().setRequestConfig(config).build());
  }

  private static Timeout shorter(Duration limit, Duration most) {
    return Timeout.ofMilliseconds(Math.clamp(limit.toMillis(), 1, Math.max(1, most.toMillis())));
  }

  private static OpenSearchTransport plain(URI url, Timeout response) {
    var builder =
        ApacheHttpClient5TransportBuilder.builder(
                new HttpHost(url.getScheme(), url.getHost(), url.getPort()))
            .setMapper(new JacksonJsonpMapper())
            .setRequestConfigCallback(
                config ->
                    config
                        .setConnectionRequestTimeout(Timeout.of(CONNECTION))
                        .setResponseTimeout(response))
            .setHttpClientConfigCallback(
                // Behind the lease of a connection: one that still connects would be lost to the
                // pool.
                http -> http.addExecInterceptorLast("deadline", new ResponseDeadline()));
    if (url.getUserInfo() != null) {
      var user = url.getUserInfo().getBytes(StandardCharsets.UTF_8);
      builder.setDefaultHeaders(
          new Header[] {
            new BasicHeader("Authorization", "Basic " + Base64.getEncoder().encodeToString(user))
          });
    }
    return builder.build();
  }

  /**
   * The response to a call.
   *
   * @param body empty where the server sent none
   */
  record Answer(int status, JsonNode body) {
    boolean isFailure() {
      return status >= BAD_REQUEST;
    }

    /** Returns the type of the failure that the server names, empty without one. */
    String errorType() {
      return SearchServer.errorType(body);
    }
  }

  private static String errorType(JsonNode body) {
    return body.path("error").path("type").asText();
  }

  /**
   * Sends a request, whatever the server answers.
   *
   * @throws IOException if it does not answer, or not to the end in time
   */
  Answer call(String method, String path, Map<String, String> query, @Nullable Object body)
      throws IOException {
    return callUntil(deadline(), method, path, query, body);
  }

  /** Returns when a call that begins now ends at the latest, by {@link System#nanoTime}. */
  long deadline() {
    return System.nanoTime() + longest.toNanos();
  }

  /**
   * Sends one of several requests that have the time of one, as {@link #call} does.
   *
   * @param deadline that of the first one
   */
  Answer callUntil(
      long deadline, String method, String path, Map<String, String> query, @Nullable Object body)
      throws IOException {
    var left = Duration.ofNanos(deadline - System.nanoTime());
    try {
      if (!left.isPositive()) {
        throw new TimeoutException();
      }
      return within(left, () -> send(limiting.apply(left), method, path, query, body));
    } catch (TimeoutException e) {
      throw late(e);
    } catch (IOException e) {
      // The client may give up at the same moment.
      throw System.nanoTime() - deadline >= 0 ? late(e) : e;
    }
  }

  private IOException late(Exception cause) {
    return new IOException(
        "The search server at %s did not answer within %d s"
            .formatted(address, longest.toSeconds()),
        cause);
  }

  private Answer send(
      OpenSearchGenericClient client,
      String method,
      String path,
      Map<String, String> query,
      @Nullable Object body)
      throws IOException {
    var content = body == null ? null : Bodies.json(text(body));
    try (var response = client.execute(Requests.create(method, path, List.of(), query, content))) {
      return new Answer(response.getStatus(), json(response));
    } catch (ResponseException e) {
      return new Answer(e.status(), body(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      throw new IOException(
          "The search server at %s cannot be called: %s".formatted(address, e.getMessage()), e);
    }
  }

  /**
   * Sends a request.
   *
   * @throws IOException if the server does not do what it says
   */
  JsonNode require(String method, String path, Map<String, String> query, @Nullable Object body)
      throws IOException {
    return success(call(method, path, query, body));
  }

  private JsonNode success(Answer answer) throws IOException {
    if (answer.isFailure()) {
      throw refused(answer);
    }
    return answer.body;
  }

  /**
   * Sends a search, and waits for its result no longer than its limit: for a connection, the server
   * and the last byte together.
   *
   * @throws SearchTimeoutException if the result is not there by then
   * @throws IOException if the server does not do what it says
   */
  JsonNode search(String path, Object body, Duration limit) throws IOException {
    long start = System.nanoTime();
    Answer answer;
    try {
      answer = within(limit, () -> send(limiting.apply(limit), "POST", path, Map.of(), body));
    } catch (TimeoutException _) {
      throw new SearchTimeoutException(limit);
    } catch (IOException e) {
      // The client may give up at the same moment.
      if (System.nanoTime() - start >= limit.toNanos()) {
        throw new SearchTimeoutException(limit);
      }
      throw e;
    }
    return success(answer);
  }

  /** Waits for an answer, and gives the call up after a limit. */
  private Answer within(Duration limit, Callable<Answer> call)
      throws IOException, TimeoutException {
    var answer = new FutureTask<>(call);
    Thread.ofVirtual().name("search").start(answer);
    try {
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("The search server at %s cannot be called".formatted(address), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The call of the search server was interrupted", e);
    } finally {
      answer.cancel(true);
    }
  }

  /** Returns the failure that a response is. */
  IOException refused(Answer answer) {
    return refused(answer.status, answer.body);
  }

  /** Returns the failure that a response, or a part of one, is. */
  IOException refused(int status, JsonNode body) {
    var reason = body.path("error").path("reason").asText();
    var remedy =
        errorType(body).equals("index_not_found_exception")
            ? ". Run ./feed reindex with this server, which creates the index and fills it"
            : "";
    return new IOException(
        "The search server at %s answered %d: %s%s".formatted(address, status, reason, remedy));
  }

  /** Returns its address, without user and password. */
  @Override
  public String toString() {
    return address.toString();
  }

  /** As a text first, because that accepts a half of a surrogate pair. */
  private static String text(Object body) throws JsonProcessingException {
    return JSON.writeValueAsString(body);
  }

  private static JsonNode json(Response response) throws IOException {
    var body = response.getBody();
    return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body.get().bodyAsBytes());
  }

  /** The client lets no one else read the body of a refusal than through this message. */
  private static JsonNode body(String message) throws IOException {
    int start = message.indexOf("\n{");
    return start < 0 ? JSON.createObjectNode() : JSON.readTree(message.substring(start));
  }

  @Override
  public void close() throws IOException {
    for (var each : open) {
      each.close();
    }
  }
}
