package social.feed.search.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.search.EntryKind;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchIndexContract;
import social.feed.testkit.LongRunning;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The contract with signed requests, as a domain of AWS wants them. */
@LongRunning
class ITSignedOpenSearchIndex extends SearchIndexContract {
  private static final String REGION = "eu-central-1";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ServerAddress DOMAIN =
      new ServerAddress(
          URI.create("https://search-feed-dev.eu-central-1.es.amazonaws.com"), Optional.of(REGION));
  private static final AwsCredentials ROLE = AwsSessionCredentials.create("id", "secret", "token");

  private static OpenSearchIndex signed(AwsCredentials role, String region, InstantSource clock) {
    var gate = new SignatureGate(SharedServer.url(), REGION, ROLE);
    var transport =
        SignedTransport.of(gate, DOMAIN, region, StaticCredentialsProvider.create(role));
    return new OpenSearchIndex(
        SearchServer.through(transport, gate, DOMAIN, LIMIT), SharedServer.newName(), clock, LIMIT);
  }

  @Override
  protected SearchIndex opened(InstantSource clock) throws IOException {
    var index = signed(ROLE, REGION, clock);
    index.createAbsent();
    return index;
  }

  @Test
  void index_thatIsOpenedLater_isCreatedByTheFirstWrite() throws IOException {
    try (var index = signed(ROLE, REGION, InstantSource.fixed(NOW))) {
      assertThatIOException()
          .isThrownBy(() -> index.findPosts(PostQuery.of("tea"), null, 1))
          .withMessageContaining("404");

      index.putPost(post("p", "a", "tea"), "1");
      index.refresh();

      assertThat(ids(index, PostQuery.of("tea"))).containsExactly("p");
      assertThat(index.states(EntryKind.POST, List.of("p"))).hasSize(1);
    }
  }

  @Test
  void request_withAnotherSignature_isRefused() throws IOException {
    var other = AwsSessionCredentials.create("id", "another", "token");
    try (var index = signed(other, REGION, InstantSource.fixed(NOW));
        var elsewhere = signed(ROLE, "eu-west-1", InstantSource.fixed(NOW))) {
      for (var refused : List.of(index, elsewhere)) {
        assertThatIOException()
            .isThrownBy(() -> refused.findPosts(PostQuery.of("tea"), null, 1))
            .withMessageContaining("The signature does not match");
        assertThatIOException().isThrownBy(() -> refused.putPost(post("p", "a", "tea"), "1"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"http://localhost:9200,eu-central-1", "https://user:secret@host,eu-central-1", "a,"})
  void address_thatCannotBeUsed_isRejected_withoutItsPassword(URI url, String region) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServerAddress(url, Optional.ofNullable(region)))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}
