package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.streams.event.EventContent;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What the service does and the local queue does not, by a stand-in that says so. */
class SqsSinkQueueTest {
  private static final SinkMessage MESSAGE = SinkMessageTest.NEW;

  /** The service has a second of few messages, and takes the others of the request. */
  private static final String PARTLY_REFUSED =
      """
      {"Successful":[{"Id":"0","MessageId":"m","MD5OfMessageBody":"unknown"}],
       "Failed":[{"Id":"1","SenderFault":false,"Code":"ServiceUnavailable"}]}""";

  /**
   * Otherwise its event is in no sink, and no one knows. One that goes back to the queue is not
   * sent again because of a neighbor.
   */
  @Test
  void messageThatIsRefusedAlone_failsTheCall_andComesAgainAlone() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        request -> {
          byte[] answer = PARTLY_REFUSED.getBytes(StandardCharsets.UTF_8);
          request.getRequestBody().readAllBytes();
          request.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
          request.sendResponseHeaders(200, answer.length);
          request.getResponseBody().write(answer);
          request.close();
        });
    server.start();
    var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (var client =
            SqsClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(address)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .checksumValidationEnabled(false)
                .build();
        var unused =
            DynamoDbClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(address)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .build()) {
      var queue = new SqsSinkQueue(client, address + "/1/sinks");
      var consumer =
          new SinkConsumer(
              _ -> Optional.empty(),
              _ -> List.of(),
              new EventContent(new Table(unused, "unused", Retry.standard()), Clock.systemUTC()),
              queue,
              (message, reason) -> {
                throw new AssertionError(message + " " + reason);
              },
              Clock.systemUTC());
      var postponed = new SinkConsumer.Postponed(MESSAGE, Duration.ZERO);
      var messages = new LinkedHashMap<>(Map.of("accepted", postponed));
      messages.put("refused", postponed);

      assertThat(consumer.putBack(messages)).containsExactly("accepted");
      assertThatExceptionOfType(SdkClientException.class)
          .isThrownBy(() -> queue.send(List.of(MESSAGE, MESSAGE), Duration.ZERO))
          .withMessageContaining("refused 1 of 2 messages: ServiceUnavailable");
    } finally {
      server.stop(0);
    }
  }
}
