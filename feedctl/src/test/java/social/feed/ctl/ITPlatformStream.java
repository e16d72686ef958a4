package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.ctl.graph.ImportProgress;

/** Tests the progress of a stream that is busy for long. */
class ITPlatformStream {
  private record Response(int status, String body) {}

  private final Queue<Response> responses = new ArrayDeque<>();
  private final List<String> shown = new ArrayList<>();
  private final HttpServer server = server();

  @BeforeEach
  void start() {
    server.createContext("/v1/dev/drain", this::response);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void busyStream_showsWhatWasHandledMeanwhile() {
    responses.add(new Response(202, "counts 1,000 records, effects 200 records"));
    responses.add(new Response(202, "counts 1,500 records, effects 1,200 records"));
    responses.add(new Response(202, "counts 1,500 records, effects 1,201 records"));
    responses.add(new Response(200, "drained"));

    stream().drain(this::step);

    assertThat(shown).containsExactly("stream -1", "1500", "1", "0", "end");
  }

  @Test
  void drainedStream_showsNothing() {
    responses.add(new Response(200, "drained"));

    stream().drain(this::step);

    assertThat(shown).isEmpty();
  }

  private PlatformStream stream() {
    return new PlatformStream(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  private ImportProgress.Step step(String what, long total) {
    shown.add(what + " " + total);
    return new ImportProgress.Step() {
      @Override
      public void advance(long done) {
        shown.add(Long.toString(done));
      }

      @Override
      public void close() {
        shown.add("end");
      }
    };
  }

  private void response(HttpExchange exchange) throws IOException {
    var response = responses.remove();
    var body = response.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(response.status, body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  private static HttpServer server() {
    try {
      return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
