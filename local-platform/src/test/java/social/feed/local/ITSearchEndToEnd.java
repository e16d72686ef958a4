package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.lucene.LuceneIndex;
import social.feed.testkit.LongRunning;
import social.feed.testkit.Polling;

/** From a write to the search that finds it, or no longer does. */
@LongRunning
class ITSearchEndToEnd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path data;

  private static List<String> found(Caller caller, String path) {
    return caller.all(path, "id", 10);
  }

  private static void awaitFound(Caller caller, String path, String... ids) {
    Polling.until(() -> found(caller, path).equals(List.of(ids)));
  }

  private static boolean isGone(SearchIndex index, String word, String account) {
    try {
      index.refresh();
      return index.findPosts(PostQuery.of(word), null, 10).isEmpty()
          && index.findAccounts(account, null, 10).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void changes_reachTheIndexAndLeaveNothingBehind() throws IOException {
    var posts = "/v1/search/posts?q=";
    String kept;
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      var ada = Caller.registered(platform.api(), "ada_s");
      var ben = Caller.registered(platform.api(), "ben_s");
      kept = ada.writes("Tea in the garden");
      var hidden = ada.writes("Coffee in the garden");
      var deleted = ada.writes("Water in the garden");
      var erased = ben.writes("Juice in the garden");
      awaitFound(ben, posts + "tea", kept);
      awaitFound(ben, posts + "coffee", hidden);
      awaitFound(ben, posts + "water", deleted);
      awaitFound(ada, posts + "juice", erased);
      awaitFound(ada, "/v1/search/accounts?q=ben", "ben_s");

      ada.patch("/v1/posts/" + hidden, "{\"visibility\":\"private\"}");
      ada.delete("/v1/posts/" + deleted);
      ben.delete("/v1/users/me");
      platform.drain(PATIENCE);

      assertThat(found(ada, posts + "garden")).contains(kept).doesNotContain(hidden, deleted);
      assertThat(found(ada, posts + "juice")).isEmpty();
      assertThat(found(ada, "/v1/search/accounts?q=ben")).isEmpty();
      ada.patch("/v1/users/me", "{\"display_name\":\"Countess\"}");
      awaitFound(ada, "/v1/search/accounts?q=countess", "ada_s");
      // The API hides what the index still has, and the sinks may be behind.
      Polling.until(() -> isGone(platform.search().orElseThrow(), "juice", "ben"));
    }
    try (var index = LuceneIndex.at(data.resolve("search"), InstantSource.system())) {
      assertThat(index.findPosts(PostQuery.of("coffee"), null, 10)).isEmpty();
      assertThat(index.findPosts(PostQuery.of("water"), null, 10)).isEmpty();
      assertThat(index.findPosts(PostQuery.of("juice"), null, 10)).isEmpty();
      assertThat(index.findAccounts("ben", null, 10)).isEmpty();
    }
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      var ada = Caller.withToken(platform.api(), "ada_s");
      assertThat(found(ada, posts + "tea")).containsExactly(kept);
    }
  }
}
