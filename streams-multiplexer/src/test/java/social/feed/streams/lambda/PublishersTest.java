package social.feed.streams.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.event.DomainEvent;
import social.feed.streams.sink.KafkaEvents;
import social.feed.streams.sink.SinkSamples;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/** A secret of Kafka that cannot be read, by a stand-in for the service that has it. */
class PublishersTest {
  private static final int BATCH = 10;
  private static final DomainEvent EVENT = SinkSamples.accountErased();

  private final AtomicInteger reads = new AtomicInteger();
  private final Map<String, String> properties = new TreeMap<>();
  private HttpServer secrets;

  @BeforeEach
  void start() throws IOException {
    secrets = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), BATCH);
    secrets.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    secrets.createContext(
        "/",
        exchange -> {
          reads.incrementAndGet();
          exchange.getRequestBody().readAllBytes();
          var answer =
              "{\"__type\":\"ResourceNotFoundException\"}".getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(400, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    secrets.start();
    properties.put(
        "aws.endpointUrlSecretsManager", "http://127.0.0.1:" + secrets.getAddress().getPort());
    properties.put("aws.region", "us-east-1");
    properties.put("aws.accessKeyId", "test");
    properties.put("aws.secretAccessKey", "test");
    properties.forEach(System::setProperty);
  }

  @AfterEach
  void stop() {
    properties.keySet().forEach(System::clearProperty);
    secrets.stop(0);
  }

  private static void publish(Publishers publishers) {
    publishers.of(KafkaEvents.NAME).orElseThrow().publish(EVENT);
  }

  private static SinkSettings settings() {
    return new SinkSettings("queue", null, "127.0.0.1:1", "feed.events", "arn", null, false);
  }

  /** Each would wait for the service, one after the other. */
  @Test
  void messagesOfABatch_readTheSecretOnce() throws Exception {
    try (var publishers = new Publishers(settings(), new SearchSettings(null, null));
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Void> call =
          () -> {
            assertThatExceptionOfType(ResourceNotFoundException.class)
                .isThrownBy(() -> publish(publishers));
            return null;
          };

      for (var each : threads.invokeAll(Collections.nCopies(BATCH, call))) {
        each.get();
      }

      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void secretThatCouldNotBeRead_isReadAgainAfterSomeSeconds() {
    var nanos = new AtomicLong();
    try (var publishers = new Publishers(settings(), new SearchSettings(null, null), nanos::get)) {
      for (int i = 0; i < 3; i++) {
        assertThatExceptionOfType(ResourceNotFoundException.class)
            .isThrownBy(() -> publish(publishers));
        nanos.addAndGet(Duration.ofSeconds(4).toNanos());
      }
    }

    assertThat(reads).hasValue(2);
  }
}
