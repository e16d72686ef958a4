package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.search.PostQuery;
import social.feed.search.SearchTimeoutException;

/** A server that sends a byte now and then keeps no call and no connection beyond its deadline. */
class DrippingServerTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final int PACE_MILLIS = 20;

  /** Long on a busy machine. The server itself never ends. */
  private static final int SOON_SECONDS = 30;

  /** Where the server begins to drip. */
  private enum From {
    HEADER("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Slow: "),
    BODY("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n");

    private final String beginning;

    From(String beginning) {
      this.beginning = beginning;
    }
  }

  /** Drips to its only connection, until the client has closed it. */
  private static final class DrippingServer implements AutoCloseable {
    private final ServerSocket socket;
    private final CountDownLatch isLeft = new CountDownLatch(1);
    private final CountDownLatch isOver = new CountDownLatch(1);

    DrippingServer(From from) throws IOException {
      socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(() -> serve(from));
    }

    private void serve(From from) {
      try (Socket client = socket.accept()) {
        var out = client.getOutputStream();
        out.write(from.beginning.getBytes(StandardCharsets.US_ASCII));
        while (!isOver.await(PACE_MILLIS, TimeUnit.MILLISECONDS)) {
          out.write('7');
        }
      } catch (IOException e) {
        isLeft.countDown();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    ServerAddress address() {
      return ServerAddress.of(URI.create("http://127.0.0.1:" + socket.getLocalPort()));
    }

    void awaitEndOfConnection() throws InterruptedException {
      assertThat(isLeft.await(SOON_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws IOException {
      isOver.countDown();
      socket.close();
    }
  }

  @ParameterizedTest
  @EnumSource(From.class)
  void search_endsWithItsConnection(From from) throws Exception {
    try (var dripping = new DrippingServer(from);
        var index = OpenSearchIndex.later(dripping.address(), "x", InstantSource.system(), LIMIT)) {
      assertThatExceptionOfType(SearchTimeoutException.class)
          .isThrownBy(() -> index.findPosts(PostQuery.of("tea"), null, 1));
      dripping.awaitEndOfConnection();
    }
  }

  @ParameterizedTest
  @EnumSource(From.class)
  void otherCall_endsWithItsConnection(From from) throws Exception {
    try (var dripping = new DrippingServer(from);
        var server = SearchServer.at(dripping.address(), LIMIT)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> server.call("GET", "/x", Map.of(), null))
          .withMessageContaining("not whole in time");
      dripping.awaitEndOfConnection();
    }
  }
}
