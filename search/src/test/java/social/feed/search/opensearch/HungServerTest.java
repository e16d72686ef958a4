package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import social.feed.search.PostQuery;
import social.feed.search.SearchTimeoutException;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** A server that accepts connections and never answers holds searches for their limit only. */
class HungServerTest {
  private static final String REGION = "eu-central-1";
  private static final Duration LIMIT = Duration.ofMillis(200);

  /** As long as other calls may take, and long on a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(60);

  /** More than the connections of a client. */
  private static final int SEARCHES = 60;

  /** The system accepts its connections, and no one reads them. */
  private static ServerSocket hung() throws IOException {
    return new ServerSocket(0, 2 * SEARCHES, InetAddress.getLoopbackAddress());
  }

  private static URI url(ServerSocket server) {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  @Test
  void searches_endWithTheirLimit() throws Exception {
    try (var hung = hung();
        var index =
            new OpenSearchIndex(
                SearchServer.at(ServerAddress.of(url(hung)), SOON),
                "x",
                InstantSource.system(),
                LIMIT)) {
      assertSearchesEnd(index);
    }
  }

  /** Each request of a write has the time that the others left. */
  @Test
  void callThatIsGivenUp_leavesItsConnection() throws Exception {
    try (var hung = hung();
        var server = SearchServer.at(ServerAddress.of(url(hung)), SOON)) {
      long deadline = System.nanoTime() + LIMIT.toNanos();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> server.callUntil(deadline, "GET", "/x", Map.of(), null));

      try (var connection = hung.accept()) {
        connection.setSoTimeout((int) SOON.dividedBy(2).toMillis());
        assertThatCode(() -> readToTheEnd(connection)).doesNotThrowAnyException();
      }
    }
  }

  private static void readToTheEnd(Socket connection) throws IOException {
    try {
      var _ = connection.getInputStream().readAllBytes();
    } catch (SocketException _) {
      // The client has left.
    }
  }

  @Test
  void signedSearches_endWithTheirLimit() throws Exception {
    var domain = new ServerAddress(URI.create("https://search.example.com"), Optional.of(REGION));
    var role = AwsSessionCredentials.create("id", "secret", "token");
    try (var hung = hung()) {
      var gate = new SignatureGate(url(hung), REGION, role);
      var transport =
          SignedTransport.of(gate, domain, REGION, StaticCredentialsProvider.create(role));
      try (var index =
          new OpenSearchIndex(
              SearchServer.through(transport, gate, domain, SOON),
              "x",
              InstantSource.system(),
              LIMIT)) {
        assertSearchesEnd(index);
      }
    }
  }

  private static void assertSearchesEnd(OpenSearchIndex index) throws Exception {
    Callable<Duration> search =
        () -> {
          long start = System.nanoTime();
          assertThatExceptionOfType(SearchTimeoutException.class)
              .isThrownBy(() -> index.findPosts(PostQuery.of("tea"), null, 1));
          return Duration.ofNanos(System.nanoTime() - start);
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var time : threads.invokeAll(Collections.nCopies(SEARCHES, search))) {
        assertThat(time.get()).isBetween(LIMIT, SOON);
      }
    }
    long start = System.nanoTime();
    assertThatExceptionOfType(SearchTimeoutException.class)
        .isThrownBy(() -> index.findAccounts("ada", null, 1));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(LIMIT, SOON);
  }
}
