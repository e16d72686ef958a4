package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.streams.sink.KafkaBroker;
import social.feed.streams.sink.KafkaTopic;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** A webhook and a real broker of Kafka at once, of which the broker hangs. */
@LongRunning
class ITSinksOfPlatform {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> called = new CopyOnWriteArrayList<>();

  @Test
  void brokerThatHangs_delaysNeitherFeedNorWebhook_andGetsAllEventsLater(@TempDir Path folder)
      throws IOException {
    var receiver = receiver();
    var hook = URI.create("http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort()));
    try (var broker = KafkaBroker.start(folder);
        var platform =
            LocalPlatform.start(
                PlatformSettings.inMemory()
                    .withWebhooks(List.of(hook))
                    .withKafka(KafkaTopic.at(broker.address(), Map.of())))) {
      var ada = Caller.registered(platform.api(), "ada");
      Polling.until(() -> keys(broker).contains("account:ada"));

      broker.hang();
      try {
        var ben = Caller.registered(platform.api(), "ben");
        ben.follows(ada);
        var post = ada.writes("hello");
        platform.drain(PATIENCE);
        assertThat(ben.all("/v1/feed", "id", 10)).contains(post);
        Polling.until(() -> called.stream().anyMatch(body -> body.contains("post:" + post)));
        broker.goOn();
        Polling.until(
            () ->
                keys(broker)
                    .containsAll(
                        List.of("account:ada", "account:ben", "follow:ben:ada", "post:" + post)));
      } finally {
        broker.goOn();
      }
    } finally {
      receiver.stop(0);
    }
  }

  private static List<String> keys(KafkaBroker broker) {
    return broker.records().stream().map(record -> record.key()).distinct().toList();
  }

  private HttpServer receiver() throws IOException {
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 10);
    server.createContext(
        "/",
        exchange -> {
          called.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }
}
