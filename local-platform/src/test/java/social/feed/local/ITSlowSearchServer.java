package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.local.PlatformSettings.Processes;

/** A stand-in for a server whose deletions of old tombstones take longer than the test. */
class ITSlowSearchServer {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestURI().getPath().endsWith("_delete_by_query")) {
        asked.countDown();
        ended.await();
      }
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, isHead ? -1 : 2);
      if (!isHead) {
        exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void platform_doesNotWaitForOldDeletions(@TempDir Path folder) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
      var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      var settings = PlatformSettings.in(folder).withSearch(url, new Processes(0, 0));
      try (var platform = LocalPlatform.start(settings)) {
        asked.await();
        assertThat(Caller.registered(platform.api(), "ada_slow").get("/v1/feed").status())
            .isEqualTo(200);
        assertThat(ended.getCount()).isEqualTo(1);
      } finally {
        ended.countDown();
        server.stop(0);
      }
    }
  }
}
