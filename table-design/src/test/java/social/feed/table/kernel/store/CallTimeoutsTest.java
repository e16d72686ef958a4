package social.feed.table.kernel.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallTimeoutsTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final int CALLS = 20;

  private final CountDownLatch answers = new CountDownLatch(1);
  private final HttpServer server;

  CallTimeoutsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeAll
  void start() {
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().startsWith("/hangs")) {
            await(answers);
          }
          byte[] none = "{\"TableNames\":[]}".getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
          exchange.sendResponseHeaders(200, none.length);
          exchange.getResponseBody().write(none);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  void stop() {
    answers.countDown();
    server.stop(0);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private DynamoDbClient client(
      String path, Consumer<ClientOverrideConfiguration.Builder> configuration) {
    return DynamoDbClient.builder()
        .region(Region.US_EAST_1)
        .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
        .overrideConfiguration(configuration)
        .build();
  }

  private static void call(DynamoDbClient client) {
    IntStream.range(0, CALLS).forEach(_ -> client.listTables());
  }

  @Test
  void finishedCalls_leaveNoTimeout() {
    try (var client = client("/", o -> CallTimeouts.limit(o, LONG))) {
      call(client);

      assertThat(CallTimeouts.scheduled()).isZero();
    }
  }

  /** What the SDK does by itself: the fault that the test above would find. */
  @Test
  void finishedCalls_withASchedulerThatKeepsCanceledTasks_leaveTheirTimeouts() {
    var scheduler = new ScheduledThreadPoolExecutor(1);
    try (var client =
        client("/", o -> CallTimeouts.limit(o, LONG).scheduledExecutorService(scheduler))) {
      call(client);

      assertThat(scheduler.getQueue()).hasSize(CALLS);
    } finally {
      scheduler.shutdownNow();
    }
  }

  @Test
  void callThatTakesLonger_fails() {
    try (var client = client("/hangs", o -> CallTimeouts.limit(o, SHORT))) {
      assertThatExceptionOfType(ApiCallTimeoutException.class).isThrownBy(client::listTables);
      assertThat(CallTimeouts.scheduled()).isZero();
    }
  }

  /** The next call must have its timeout, whatever happened to the clients before. */
  @Test
  void closedClient_leavesTheOthersTheirTimeouts() {
    client("/", o -> CallTimeouts.limit(o, LONG)).close();

    callThatTakesLonger_fails();
  }
}
