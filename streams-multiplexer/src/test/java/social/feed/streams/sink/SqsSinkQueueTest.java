package social.feed.streams.sink;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** What the service does and the local queue does not, by a stand-in that says so. */
class SqsSinkQueueTest {
  private static final SinkMessage MESSAGE = SinkMessageTest.NEW;

  /** The service has a second of few messages, and takes the others of the request. */
  private static final String PARTLY_REFUSED =
      """
      {"Successful":[{"Id":"0","MessageId":"m","MD5OfMessageBody":"unknown"}],
       "Failed":[{"Id":"1","SenderFault":false,"Code":"ServiceUnavailable"}]}""";

  /** Otherwise its event is in no sink, and no one knows. */
  @Test
  void messageThatIsRefusedAlone_failsTheCall() throws IOException {
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
            .build()) {
      var queue = new SqsSinkQueue(client, address + "/1/sinks");

      assertThatExceptionOfType(SdkClientException.class)
          .isThrownBy(() -> queue.send(List.of(MESSAGE, MESSAGE), Duration.ZERO))
          .withMessageContaining("refused 1 of 2 messages: ServiceUnavailable");
    } finally {
      server.stop(0);
    }
  }
}
