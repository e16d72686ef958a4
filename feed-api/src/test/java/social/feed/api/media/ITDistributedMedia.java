package social.feed.api.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.exceptions.ConfigurationException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.http.Answer;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.table.media.BucketSettings;
import social.feed.table.media.MediaBucket;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;

/**
 * Files behind a distribution: what their addresses say, and who gets them. Signing sends no
 * request, so there is no bucket.
 */
class ITDistributedMedia {
  private static final Instant NOW = Instant.parse("2026-03-01T12:03:00Z");
  private static final Pattern ADDRESS = Pattern.compile("\"(https://images[^\"]*)\"");
  private static final DistributionKeys KEYS = new DistributionKeys("RSA", 2048);

  private static FeedServer server;

  @BeforeAll
  static void start() {
    server = FeedServer.start(KEYS.settings());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static MediaBucket bucket() {
    var settings = new BucketSettings("feed-images", "eu-central-1", null, Duration.ofSeconds(1));
    return new MediaBucket(settings, AnonymousCredentialsProvider.create());
  }

  private static MediaConfiguration configuration() {
    Duration hour = Duration.ofHours(1);
    return new MediaConfiguration(
        null, "feed-images", null, null, 9, 9, 1, 9, 9, hour, Duration.ofMinutes(10));
  }

  private static DistributedAddresses addresses(
      DistributionKeys keys, AtomicReference<Instant> now) {
    var distribution =
        new DistributionConfiguration(
            URI.create(DistributionKeys.URL), DistributionKeys.KEY_ID, keys.privateKey());
    return new DistributedAddresses(bucket(), now::get, configuration(), distribution);
  }

  @ParameterizedTest
  @CsvSource({"RSA,2048", "EC,256"})
  void address_isSignedForOneFileUntilTheEndOfTheNextWindow(String algorithm, int bits) {
    var keys = new DistributionKeys(algorithm, bits);
    var addresses = addresses(keys, new AtomicReference<>(NOW));

    String small = addresses.file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg");

    assertThat(small)
        .startsWith("https://images.example.com/01M81QRBMVRDJNFD19EYKAD7ZE/small.jpg?")
        .hasSizeLessThan(1_000);
    assertThat(keys.policy(small))
        .isEqualTo(
            "{\"Statement\":[{\"Resource\":\""
                + "https://images.example.com/01M81QRBMVRDJNFD19EYKAD7ZE/*"
                + "\",\"Condition\":{\"DateLessThan\":{\"AWS:EpochTime\":%d}}}]}"
                    .formatted(Instant.parse("2026-03-01T12:20:00Z").getEpochSecond()));
    assertThat(DistributionKeys.query(small).keySet())
        .containsExactlyInAnyOrder("Policy", "Signature", "Key-Pair-Id");
  }

  @Test
  void address_isTheSameInAWindow_andAnotherForAnotherFileAndWindow() {
    var now = new AtomicReference<>(NOW);
    var addresses = addresses(KEYS, now);
    String first = addresses.file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg");
    String medium = addresses.file("01M81QRBMVRDJNFD19EYKAD7ZE", "medium.jpg");
    now.set(NOW.plusSeconds(400));

    assertThat(addresses.file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg")).isEqualTo(first);
    assertThat(addresses(KEYS, now).file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg"))
        .as("of another process")
        .isEqualTo(first);
    assertThat(DistributionKeys.query(medium)).isEqualTo(DistributionKeys.query(first));
    assertThat(DistributionKeys.query(addresses.file("01M81QRBMVRDJNFD19EYKAD7ZF", "small.jpg")))
        .isNotEqualTo(DistributionKeys.query(first));
    now.set(NOW.plus(Duration.ofMinutes(10)));
    assertThat(addresses.file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg")).isNotEqualTo(first);
  }

  /** The check of these tests finds what CloudFront would refuse. */
  @Test
  void address_thatWasChangedOrIsOfAnotherKey_isRefused() {
    String address =
        addresses(KEYS, new AtomicReference<>(NOW)).file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg");
    String other =
        addresses(new DistributionKeys("RSA", 2048), new AtomicReference<>(NOW))
            .file("01M81QRBMVRDJNFD19EYKAD7ZE", "small.jpg");
    String policy = DistributionKeys.query(other).get("Policy");

    assertThat(policy).isEqualTo(DistributionKeys.query(address).get("Policy"));
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> KEYS.policy(other));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> KEYS.policy(address.replace("Policy=", "Policy=AAAA")));
  }

  private static Set<String> addresses(Answer answer) {
    var found = new HashSet<String>();
    ADDRESS.matcher(answer.text()).results().forEach(address -> found.add(address.group(1)));
    return found;
  }

  /** Addresses are signed after the rules of the post decided. */
  @Test
  void posts_haveAddressesOfTheDistribution_forThoseWhoMaySeeThem() {
    var world = server.world();
    var ann = world.user("ann");
    var bob = server.as(world.user("bob"));
    var files = new UploadedFiles(server);
    String seen = files.file(ann, null);
    String hidden = files.file(ann, null);
    var json = "{\"text\":\"x\",\"visibility\":\"%s\",\"media\":[\"%s\"]}";
    Answer post =
        Expect.status(201, server.as(ann).post("/v1/posts", json.formatted("public", seen)));
    Answer secret =
        Expect.status(201, server.as(ann).post("/v1/posts", json.formatted("private", hidden)));

    Answer one = Expect.status(200, bob.get("/v1/posts/" + post.at("id")));
    Answer all = Expect.status(200, bob.get("/v1/users/" + ann.id() + "/posts"));

    for (Answer answer : new Answer[] {one, all}) {
      assertThat(addresses(answer)).hasSize(3);
      assertThat(addresses(answer))
          .allMatch(address -> address.startsWith(DistributionKeys.URL + "/" + seen + "/"))
          .allSatisfy(address -> assertThat(KEYS.policy(address)).contains("/" + seen + "/*"));
      assertThat(answer.text()).doesNotContain(hidden).doesNotContain("amazonaws");
    }
    assertThat(addresses(Expect.status(404, bob.get("/v1/posts/" + secret.at("id"))))).isEmpty();
    assertThat(addresses(server.as(ann).get("/v1/posts/" + secret.at("id")))).hasSize(3);
    assertThat(Expect.status(404, bob.get("/v1/media/" + seen)).text())
        .doesNotContain("https://im");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "no key", "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----"})
  void privateKey_thatIsNone_isRefusedWithoutShowingIt(String key) {
    var distribution =
        new DistributionConfiguration(
            URI.create(DistributionKeys.URL), DistributionKeys.KEY_ID, key);

    assertThatThrownBy(
            () -> new DistributedAddresses(bucket(), () -> NOW, configuration(), distribution))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("feed.media.distribution.")
        .hasMessageNotContaining("no key")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://images.example.com",
        "images.example.com",
        "https://a.example/b",
        "https:/"
      })
  void url_thatIsNone_isRefused(String url) {
    var distribution =
        new DistributionConfiguration(URI.create(url), DistributionKeys.KEY_ID, KEYS.privateKey());

    assertThatThrownBy(
            () -> new DistributedAddresses(bucket(), () -> NOW, configuration(), distribution))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("feed.media.distribution.url must be https://HOST, not '" + url + "'");
  }
}
