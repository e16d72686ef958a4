package social.feed.table.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.id.TimeOrderedId;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

/** What S3 answers and no bucket of the tests does, by a stand-in that says so. */
class BucketAnswersTest {
  private static final String ID = TimeOrderedId.named(Instant.EPOCH, "file");

  private static final String LISTED =
      """
      <ListBucketResult><IsTruncated>false</IsTruncated>
        <Contents><Key>media/%s/original.png</Key></Contents>
        <Contents><Key>media/%s/small.png</Key></Contents>
      </ListBucketResult>"""
          .formatted(ID, ID);

  /** S3 names what it refused, and has removed the others. */
  private static final String PARTLY_REFUSED =
      """
      <DeleteResult><Error>
        <Key>media/%s/small.png</Key><Code>AccessDenied</Code><Message>Access Denied</Message>
      </Error></DeleteResult>"""
          .formatted(ID);

  /** Otherwise its bytes stay, and nothing removes them later. */
  @Test
  void objectThatIsRefusedAlone_failsTheRemoval() throws IOException {
    HttpHandler answers =
        request -> {
          request.getRequestBody().readAllBytes();
          var answer = request.getRequestMethod().equals("GET") ? LISTED : PARTLY_REFUSED;
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          request.getResponseHeaders().add("Content-Type", "application/xml");
          request.sendResponseHeaders(200, bytes.length);
          request.getResponseBody().write(bytes);
          request.close();
        };
    try (var service = new Service(answers)) {
      assertThat(service.bucket.names(ID)).contains("original.png", "small.png");

      assertThatIOException()
          .isThrownBy(() -> service.bucket.removeAll(ID))
          .withMessageContaining("1 objects cannot be removed")
          .withMessageContaining("AccessDenied");
    }
  }

  /** A client may try again later. */
  @Test
  void contentThatIsCutOff_isUnavailable() throws IOException {
    HttpHandler answers =
        request -> {
          request.sendResponseHeaders(200, 100);
          request.getResponseBody().write(new byte[10]);
          request.getResponseBody().flush();
          request.close();
        };
    try (var service = new Service(answers)) {
      assertThatExceptionOfType(MediaStore.UnavailableException.class)
          .isThrownBy(() -> service.bucket.read(ID, MediaStore.UPLOAD));
    }
  }

  /** A process completes one upload at a time, so none may wait for a byte without end. */
  @Test
  void contentThatHangs_isUnavailableAfterTheTimeOfACall() throws IOException {
    HttpHandler answers =
        request -> {
          request.sendResponseHeaders(200, 100);
          request.getResponseBody().write(new byte[10]);
          // The connection stays open, without the other bytes.
          request.getResponseBody().flush();
        };
    try (var service = new Service(answers, Duration.ofSeconds(1))) {
      assertThatExceptionOfType(MediaStore.UnavailableException.class)
          .isThrownBy(() -> service.bucket.read(ID, MediaStore.UPLOAD));
    }
  }

  /** A service that gives one answer, and a bucket there. */
  private static final class Service implements AutoCloseable {
    private final HttpServer server;
    private final MediaBucket bucket;

    Service(HttpHandler answers) throws IOException {
      this(answers, Duration.ofSeconds(30));
    }

    /**
     * @param call the maximum duration of a call
     */
    Service(HttpHandler answers, Duration call) throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", answers);
      server.start();
      var address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      var settings = new BucketSettings("files", "us-east-1", address, call);
      bucket = new MediaBucket(settings, AnonymousCredentialsProvider.create());
    }

    @Override
    public void close() {
      bucket.close();
      server.stop(0);
    }
  }
}
