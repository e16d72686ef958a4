package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import social.feed.search.IndexedPost;

/**
 * A stand-in for a server that takes a while for each write, and then says that others were faster.
 */
class WriteDeadlineTest {
  /** A write has two seconds more. So a request of its own has time, also on a busy machine. */
  private static final Duration RESPONSE = Duration.ofSeconds(4);

  /** So all attempts take three times as long as a write may. */
  private static final int PACE_MILLIS = 1_000;

  private final CountDownLatch isOver = new CountDownLatch(1);
  private final AtomicInteger writes = new AtomicInteger();

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      switch (exchange.getRequestMethod()) {
        case "HEAD" -> exchange.sendResponseHeaders(200, -1);
        case "GET" -> send(exchange, 404, "{\"found\": false}");
        default -> {
          writes.incrementAndGet();
          var _ = isOver.await(PACE_MILLIS, TimeUnit.MILLISECONDS);
          send(exchange, 409, "{\"error\": {\"type\": \"version_conflict_engine_exception\"}}");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** What waits for it relies on that, such as the queue that hands out its message again. */
  @Test
  void write_takesNoLongerThanACall_withAllItsRequests() throws IOException {
    var http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      http.setExecutor(threads);
      http.createContext("/", this::answer);
      http.start();
      var url = URI.create("http://127.0.0.1:" + http.getAddress().getPort());
      var post = new IndexedPost("p", "ann", "tea", Set.of(), Instant.EPOCH);
      try (var index =
          new OpenSearchIndex(
              SearchServer.at(ServerAddress.of(url), RESPONSE),
              "x",
              InstantSource.system(),
              RESPONSE)) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> index.putPost(post, "1"));
        assertThat(writes).as("in six seconds").hasValueLessThanOrEqualTo(7);
      } finally {
        isOver.countDown();
        http.stop(0);
      }
    }
  }
}
