package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.search.EntryKind;
import social.feed.search.IndexState;
import social.feed.search.IndexedPost;
import social.feed.search.SearchIndex;
import social.feed.testkit.LongRunning;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;

/** A write of an entry that another process writes between its read and its write. */
@LongRunning
class ITMeetingWriters {
  private static final Instant NOW = Instant.parse("2026-03-01T09:15:00Z");
  private static final String REGION = "eu-central-1";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final String name = SharedServer.newName();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void earlierVersion_doesNotReplaceTheLaterOne(boolean isKnown) throws IOException {
    try (var other = OpenSearchIndex.at(SharedServer.url(), name, InstantSource.fixed(NOW), LIMIT);
        var meeting = meeting(() -> put(other, "3"))) {
      if (isKnown) {
        put(other, "1");
      }

      put(meeting, "2");

      assertThat(other.states(EntryKind.POST, List.of("p")))
          .extracting(IndexState::version)
          .containsExactly("3");
    }
  }

  private static void put(SearchIndex index, String version) {
    try {
      index.putPost(new IndexedPost("p", "ann", "text" + version, Set.of(), NOW), version);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the index of another process.
   *
   * @param first runs between the read and the write of an entry, once
   */
  private SearchIndex meeting(Runnable first) {
    var role = AwsSessionCredentials.create("id", "secret", "token");
    var domain = new ServerAddress(URI.create("https://search.example.com"), Optional.of(REGION));
    var gate = new SignatureGate(SharedServer.url(), REGION, role);
    var http = new BeforeAWrite(gate, first, new AtomicBoolean());
    var transport =
        SignedTransport.of(http, domain, REGION, StaticCredentialsProvider.create(role));
    var server = SearchServer.through(transport, http, domain, LIMIT);
    return new OpenSearchIndex(server, name, InstantSource.fixed(NOW), LIMIT);
  }

  private record BeforeAWrite(SdkHttpClient behind, Runnable first, AtomicBoolean isDone)
      implements SdkHttpClient {
    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      var sent = request.httpRequest();
      if (sent.method().name().equals("PUT")
          && sent.encodedPath().contains("/_doc/")
          && !isDone.getAndSet(true)) {
        first.run();
      }
      return behind.prepareRequest(request);
    }

    @Override
    public void close() {
      behind.close();
    }
  }
}
