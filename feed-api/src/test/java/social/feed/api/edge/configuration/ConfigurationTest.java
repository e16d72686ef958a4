package social.feed.api.edge.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.HttpServerConfiguration;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.media.MediaBucket;
import social.feed.table.media.MediaStore;

/** Wrong settings fail the start, with a message for an operator. */
class ConfigurationTest {

  private static AbstractThrowableAssert<?, ? extends Throwable> assertStart(
      Map<String, Object> settings) {
    return assertThatThrownBy(() -> ApplicationContext.run(settings, "test").close()).rootCause();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "feed.auth.keys-kept | 1s | must be at least 100 ms, feed.auth.keys-kept at least as long",
        "feed.auth.keys-timeout | 0s | must be greater than 0",
        "feed.cursor.other-secret | short | needs at least 32 bytes",
        "feed.cursor.secret | short | needs at least 32 bytes",
        "feed.dev-issuer.lifetime | 0s | must be greater than 0",
        "feed.dev-issuer.secret | short | needs at least 32 bytes",
        "feed.dynamodb.call-timeout | 0s | must be greater than 0",
        "feed.dynamodb.region | ' ' | must not be blank",
        "feed.dynamodb.table | ' ' | must not be blank",
        "feed.export.again-after | PT-1S | must be greater than or equal to 0",
        "feed.export.exports | -1 | must be greater than or equal to 0",
        "feed.export.patience | 0s | must be greater than 0",
        "feed.export.waits | 1s | must be at least feed.export.patience",
        "feed.hot.cached | PT-1S | must be greater than or equal to 0",
        "feed.hot.remembered | -1 | must be greater than or equal to 0",
        "feed.limits.blocked | 0 | must be greater than or equal to 1",
        "feed.limits.daily-follows | 0 | must be greater than or equal to 1",
        "feed.limits.daily-unfollows | 0 | must be greater than or equal to 1",
        "feed.limits.deliveries.authors | 0 | must be greater than or equal to 1",
        "feed.limits.deliveries.burst | 0 | must be greater than or equal to 1",
        "feed.limits.deliveries.units-per-post | -1 | must be greater than or equal to 0",
        "feed.limits.deliveries.units-per-second | 0 | must be greater than or equal to 1",
        "feed.limits.feed-shards | 1001 | must be less than or equal to 1000",
        "feed.limits.followed | 0 | must be greater than or equal to 1",
        "feed.limits.kept | 0 | must be greater than or equal to 1",
        "feed.limits.rate.burst | 1 | must be at least feed.limits.rate.per-second",
        "feed.limits.rate.callers | 0 | must be greater than or equal to 1",
        "feed.limits.rate.per-second | 0 | must be greater than or equal to 1",
        "feed.limits.request-time | 0s | must be greater than 0",
        "feed.limits.special | 31 | must be less than or equal to 30",
        "feed.limits.upload-time | 0s | must be greater than 0",
        "feed.limits.unfollow-after | PT-1S | must be greater than or equal to 0",
        "feed.live.catch-up-age | 1s | must be at least feed.live.overlap",
        "feed.live.catch-up-events | 49 | must be greater than or equal to 50",
        "feed.live.heartbeat | 0s | must be greater than 0",
        "feed.live.idle-poll | 1s | must be at least feed.live.poll",
        "feed.live.lasts | 0s | must be greater than 0",
        "feed.live.overlap | PT-1S | must be at least twice feed.live.poll",
        "feed.live.overlap | 3s | must be at least twice feed.live.poll",
        "feed.live.patience | 0s | must be greater than 0",
        "feed.live.poll | 0s | must be greater than 0",
        "feed.live.streams | 0 | must be greater than or equal to 1",
        "feed.live.streams-per-user | 0 | must be greater than or equal to 1",
        "feed.media.addresses-valid | 0s | must be greater than 0",
        "feed.media.completions | -1 | must be greater than or equal to 0",
        "feed.media.max-bytes | 0 | must be greater than or equal to 1",
        "feed.media.max-bytes | 2000000001 | must be less than or equal to 2000000000",
        "feed.media.max-pixels | 0 | must be greater than or equal to 1",
        "feed.media.quota-bytes | 0 | must be greater than or equal to 1",
        "feed.media.quota-files | 0 | must be greater than or equal to 1",
        "feed.media.upload-within | 0s | must be greater than 0",
        "feed.pull.readers-remembered | -1 | must be greater than or equal to 0",
        "feed.pull.registry-cached | PT-1S | must be greater than or equal to 0",
        "feed.ranking.cached | PT-1S | must be greater than or equal to 0",
        "feed.ranking.half-life | 0s | must be greater than 0",
        "feed.ranking.past-cached | PT-1S | must be greater than or equal to 0",
        "feed.recent-followers.cached | PT-1S | must be greater than or equal to 0",
        "feed.recent-followers.celebrities-remembered | -1 | must be greater than or equal to 0"
      })
  void start_withWrongSetting_namesItAndItsRule(String property, String value, String rule) {
    assertStart(Map.of(property, value)).hasMessageContainingAll(property + " ", rule);
  }

  @Test
  void start_withSeveralWrongSettings_namesAllOfThemAndNoValue() {
    assertStart(Map.of("feed.limits.kept", "-17", "feed.limits.followed", "-17"))
        .hasMessage(
            "Correct these settings: feed.limits.followed must be greater than or equal to 1;"
                + " feed.limits.kept must be greater than or equal to 1");
  }

  @Test
  void start_withSettingThatNeedsAnother_namesBoth() {
    assertStart(Map.of("feed.dynamodb.endpoint", ""))
        .hasMessage("feed.dynamodb.local needs feed.dynamodb.endpoint");
  }

  /** The multiplexer of a deployed stage could not remove the bytes of a deleted file. */
  @Test
  void start_withAFolderOfMediaOnADeployedStage_isRefused() {
    assertStart(Map.of("feed.media.folder", "target/media", "feed.dynamodb.local", "false"))
        .hasMessageStartingWith("feed.media.folder needs feed.dynamodb.local");
  }

  /** A start that fails logs all of its failure. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://feed:hidden word@search.example",
        "https://feed:hidden%word@search.example",
        "https://feed:12#hidden@search.example",
        "https://feed:12/hidden@search.example",
        "https://feed:12?hidden@search.example",
        "https://feed:hidden@search_example",
        "feed:hidden@search.example",
        "hidden"
      })
  void start_withWrongAddressOfTheSearch_saysSoWithoutItsPassword(String url) {
    assertThatThrownBy(() -> ApplicationContext.run(Map.of("feed.search.url", url), "test").close())
        .satisfies(
            failure ->
                assertThat(Throwables.getStackTrace(failure))
                    .containsAnyOf("feed.search.url", "The address of the search server")
                    .doesNotContain("hidden"));
  }

  @Test
  void start_withWrongBucketOfMedia_saysWhatToDo() {
    String bucket = "feed.media.bucket";
    assertStart(Map.of(bucket, "images", "feed.media.folder", "target/media"))
        .hasMessage("Set feed.media.folder or feed.media.bucket, not both");
    assertStart(Map.of(bucket, "Images.of.feed"))
        .hasMessageStartingWith("Correct feed.media: 'Images.of.feed' is not a bucket");
    assertStart(Map.of(bucket, "images", "feed.media.endpoint", "images"))
        .hasMessageStartingWith("Correct feed.media: The endpoint 'images' of the bucket");
    assertStart(Map.of(bucket, "images", "feed.media.upload-within", "8d"))
        .hasMessageStartingWith("feed.media.upload-within is too long");
    assertStart(Map.of(bucket, "images", "feed.media.addresses-valid", "4d"))
        .hasMessageStartingWith("feed.media.addresses-valid is too long");
  }

  @Test
  void start_withADistributionThatLacksSomething_namesIt() {
    String url = "feed.media.distribution.url";
    assertStart(Map.of(url, "https://images.example", "feed.media.folder", "target/media"))
        .hasMessageStartingWith(url + " needs feed.media.bucket");
    assertStart(Map.of(url, "https://images.example", "feed.media.bucket", "images"))
        .hasMessage(url + " needs feed.media.distribution.key-id");
  }

  /** Clients send files to the bucket, so no request of the API is large. */
  @Test
  void start_withABucket_keepsTheLimitOfBodies() {
    Map<String, Object> settings =
        Map.of(
            "feed.dynamodb.local",
            "true",
            "feed.dynamodb.endpoint",
            "http://x:1",
            "feed.media.bucket",
            "images");
    try (var context = ApplicationContext.run(settings, "test")) {
      assertThat(context.getBean(HttpServerConfiguration.class).getMaxRequestSize())
          .isEqualTo(65_536);
      assertThat(context.getBean(MediaStore.class)).isInstanceOf(MediaBucket.class);
    }
  }

  @Test
  void start_withWebhooksInsideTheNetworkOfADeployedStage_isRefused() {
    assertStart(
            Map.of(
                "feed.webhooks.enabled",
                "true",
                "feed.webhooks.allow-private",
                "true",
                "feed.dynamodb.local",
                "false"))
        .hasMessageStartingWith("feed.webhooks.allow-private needs feed.dynamodb.local");
  }

  @Test
  void start_withTheAudienceOfMembersForOperators_isRefused() {
    String message = "feed.auth.operator-audience needs feed.auth.audience, and another value";
    assertStart(Map.of("feed.auth.operator-audience", "one")).hasMessageContaining(message);
    assertStart(Map.of("feed.auth.operator-audience", "one", "feed.auth.audience", "one"))
        .hasMessageContaining(message);
  }

  /** The server has one limit for all routes, so that of files is only there with files. */
  @Test
  void start_withAFolderForFiles_raisesTheLimitOfBodies() {
    String endpoint = "feed.dynamodb.endpoint";
    Map<String, Object> local = Map.of("feed.dynamodb.local", "true", endpoint, "http://x:1");
    try (var context = ApplicationContext.run(local, "test")) {
      assertThat(context.getBean(HttpServerConfiguration.class).getMaxRequestSize())
          .isEqualTo(65_536);
    }
    Map<String, Object> files =
        Map.of(
            "feed.dynamodb.local",
            "true",
            endpoint,
            "http://x:1",
            "feed.media.folder",
            "target/media");
    try (var context = ApplicationContext.run(files, "test")) {
      assertThat(context.getBean(HttpServerConfiguration.class).getMaxRequestSize())
          .isEqualTo(8_388_608);
    }
  }
}
