package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Tests the whole platform through its API: writes of one account reach other accounts. */
@TestInstance(Lifecycle.PER_CLASS)
class ITEndToEnd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private LocalPlatform platform;

  @BeforeAll
  void start() {
    platform = LocalPlatform.start(PlatformSettings.inMemory());
  }

  @AfterAll
  void stop() {
    platform.close();
  }

  private Caller user(String name) {
    return Caller.registered(platform.api(), name);
  }

  private void drain() {
    platform.drain(PATIENCE);
  }

  @Test
  void post_ofFollowedAuthor_isInFeedWithCounts() {
    var ada = user("ada_1");
    var ben = user("ben_1");
    ben.follows(ada);
    var first = ada.writes("first");
    var second = ada.writes("second #Tagged");
    ben.post("/v1/posts/" + first + "/like");
    ben.post("/v1/posts/" + first + "/comments", "{\"text\":\"fine\"}");
    drain();

    assertThat(ben.all("/v1/feed", "id", 1)).containsExactly(second, first);
    assertThat(ada.all("/v1/feed", "id", 50)).containsExactly(second, first);
    assertThat(ada.all("/v1/tags/tagged/posts", "id", 10)).containsExactly(second);
    var post = ben.get("/v1/posts/" + first).body();
    assertThat(post.path("likes_count").asLong()).isEqualTo(1);
    assertThat(post.path("comments_count").asLong()).isEqualTo(1);
    assertThat(post.path("viewer").path("liked").asBoolean()).isTrue();
    var author = ben.get("/v1/users/" + ada.id()).body();
    assertThat(author.path("followers_count").asLong()).isEqualTo(1);
    assertThat(author.path("posts_count").asLong()).isEqualTo(2);
    assertThat(ada.get("/v1/users/" + ben.id()).body().path("following_count").asLong())
        .isEqualTo(1);
  }

  @Test
  void follow_afterPosts_backfillsThemInOrderOfTime() {
    var ada = user("ada_2");
    var ben = user("ben_2");
    var old = ada.writes("before the follow");
    var own = ben.writes("own");
    drain();
    ben.follows(ada);
    drain();

    assertThat(ben.all("/v1/feed", "id", 1)).containsExactly(own, old);
  }

  @Test
  void unfollow_keepsOrRemovesEarlierPosts() {
    var ada = user("ada_3");
    var ben = user("ben_3");
    var cem = user("cem_3");
    ben.follows(ada);
    cem.follows(ada);
    var post = ada.writes("hello");
    drain();
    ben.delete("/v1/users/" + ada.id() + "/follow");
    assertThat(ben.all("/v1/feed", "id", 10)).as("at once, before the stream").isEmpty();
    cem.delete("/v1/users/" + ada.id() + "/follow?keep_history=true");
    drain();

    assertThat(ben.all("/v1/feed", "id", 10)).isEmpty();
    assertThat(cem.all("/v1/feed", "id", 10)).containsExactly(post);
    assertThat(ben.get("/v1/users/" + ada.id()).body().path("followers_count").asLong()).isZero();
  }

  @Test
  void deletedPost_isInNoList() {
    var ada = user("ada_4");
    var ben = user("ben_4");
    ben.follows(ada);
    var post = ada.writes("soon gone #gone");
    ben.post("/v1/posts/" + post + "/like");
    drain();
    ada.delete("/v1/posts/" + post);
    assertThat(ben.all("/v1/feed", "id", 10)).as("at once, before the stream").isEmpty();
    drain();

    assertThat(ben.get("/v1/posts/" + post).status()).isEqualTo(404);
    assertThat(ben.all("/v1/tags/gone/posts", "id", 10)).isEmpty();
    assertThat(ada.all("/v1/notifications", "type", 10)).containsExactly("follow");
    assertThat(ada.get("/v1/users/" + ada.id()).body().path("posts_count").asLong()).isZero();
  }

  @Test
  void notifications_areSentReadAndRetracted() {
    var ada = user("ada_5");
    var ben = user("ben_5");
    var post = ada.writes("hello @ben_5");
    ben.follows(ada);
    ben.post("/v1/posts/" + post + "/like");
    ben.delete("/v1/posts/" + post + "/like");
    ben.post("/v1/posts/" + post + "/like");
    drain();

    assertThat(ben.all("/v1/notifications", "type", 10)).containsExactly("mention");
    assertThat(ada.all("/v1/notifications?unread=true", "type", 1))
        .containsExactly("like", "follow");
    var newest = ada.all("/v1/notifications", "id", 10).getFirst();
    assertThat(ada.post("/v1/notifications/" + newest + "/read").status()).isEqualTo(204);
    assertThat(ada.all("/v1/notifications?unread=true", "type", 10)).containsExactly("follow");
    assertThat(ada.post("/v1/notifications/read-all").status()).isEqualTo(204);
    assertThat(ada.get("/v1/notifications/unread-count").body().toString()).contains("0");
    ben.delete("/v1/posts/" + post + "/like");
    drain();
    assertThat(ada.all("/v1/notifications", "type", 10)).containsExactly("follow");
  }

  @Test
  void replay_ofTheWholeStream_changesNothing() {
    var ada = user("ada_6");
    var ben = user("ben_6");
    ben.follows(ada);
    var post = ada.writes("counted once");
    ben.post("/v1/posts/" + post + "/like");
    ben.post("/v1/posts/" + post + "/comments", "{\"text\":\"once\"}");
    drain();
    platform.replay();
    drain();
    platform.replay();
    drain();

    var shown = ben.get("/v1/posts/" + post).body();
    assertThat(shown.path("likes_count").asLong()).isEqualTo(1);
    assertThat(shown.path("comments_count").asLong()).isEqualTo(1);
    var author = ada.get("/v1/users/" + ada.id()).body();
    assertThat(author.path("followers_count").asLong()).isEqualTo(1);
    assertThat(author.path("posts_count").asLong()).isEqualTo(1);
    assertThat(ben.all("/v1/feed", "id", 10)).containsExactly(post);
    assertThat(ada.all("/v1/notifications", "type", 10))
        .containsExactly("comment", "like", "follow");
  }

  @Test
  void leaderboards_showCurrentCounts_alsoAfterAReplay() {
    var ada = user("ada_7");
    var ben = user("ben_7");
    var cem = user("cem_7");
    ben.follows(ada);
    cem.follows(ada);
    ada.follows(ben);
    ben.writes("#both and #kept");
    var gone = ada.writes("#both and #lost");
    drain();
    assertThat(count(ada, "/v1/leaderboards/authors", ada.id())).isEqualTo(2);
    assertThat(posts(ada, "both")).isEqualTo(2);
    assertThat(posts(ada, "lost")).isEqualTo(1);
    cem.delete("/v1/users/" + ada.id() + "/follow");
    ada.delete("/v1/posts/" + gone);
    drain();
    platform.replay();
    drain();

    for (var list : List.of("/v1/leaderboards/authors", "/v1/leaderboards/authors?by=gained")) {
      assertThat(count(cem, list, ada.id())).isEqualTo(1);
      assertThat(count(cem, list, ben.id())).isEqualTo(1);
      assertThat(cem.all(list, "id", 100)).doesNotContain(cem.id());
    }
    assertThat(posts(cem, "both")).isEqualTo(1);
    assertThat(posts(cem, "kept")).isEqualTo(1);
    assertThat(cem.all("/v1/tags/trending", "tag", 50)).doesNotContain("lost");
  }

  private static long count(Caller caller, String list, String author) {
    var path = list + (list.contains("?") ? "&" : "?") + "limit=100";
    for (var item : caller.get(path).body().path("items")) {
      if (item.path("id").asText().equals(author)) {
        return item.path("count").asLong();
      }
    }
    return 0;
  }

  private static long posts(Caller caller, String tag) {
    for (var item : caller.get("/v1/tags/trending?limit=50").body().path("items")) {
      if (item.path("tag").asText().equals(tag)) {
        return item.path("posts").asLong();
      }
    }
    return 0;
  }

  @Test
  void health_andDocument_needNoToken() {
    var anonymous = new Caller(platform.api(), "", "");

    assertThat(anonymous.get("/health").text("status")).isEqualTo("UP");
    assertThat(anonymous.get("/v1/feed").status()).isEqualTo(401);
  }
}
