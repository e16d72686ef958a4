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

/** A stream that takes its time shows how far it is. */
class ITPlatformStream {
  private record Answer(int status, String body) {}

  private final Queue<Answer> answers = new ArrayDeque<>();
  private final List<String> shown = new ArrayList<>();
  private final HttpServer server = server();

  @BeforeEach
  void start() {
    server.createContext("/v1/dev/drain", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void busyStream_showsWhatWasHandledMeanwhile() {
    answers.add(new Answer(202, "counts 1,000 records, effects 200 records"));
    answers.add(new Answer(202, "counts 1,500 records, effects 1,200 records"));
    answers.add(new Answer(202, "counts 1,500 records, effects 1,201 records"));
    answers.add(new Answer(200, "drained"));

    stream().drain(this::step);

    assertThat(shown).containsExactly("stream -1", "1500", "1", "0", "end");
  }

  @Test
  void streamThatIsThrough_showsNothing() {
    answers.add(new Answer(200, "drained"));

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

  private void answer(HttpExchange exchange) throws IOException {
    var answer = answers.remove();
    var body = answer.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status, body.length);
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
