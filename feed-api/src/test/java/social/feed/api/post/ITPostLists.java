package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.cost.Bill;

@ExtendWith(FeedServerExtension.class)
class ITPostLists {
  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Api caller;
  private final String ofBob;

  ITPostLists(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.caller = server.as(ann);
    this.ofBob = "/v1/users/" + bob.id() + "/posts";
  }

  private static List<String> ids(List<Post> oldestFirst) {
    return oldestFirst.reversed().stream().map(Post::postId).toList();
  }

  @Test
  void ofAuthor_isNewestFirstInPagesOfAnySize() {
    List<Post> posts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      posts.add(bob.posts("post " + i));
    }

    Paged.holds(caller, ofBob, ids(posts));
  }

  @Test
  void ofAuthor_hidesInvisiblePostsAndRefillsPages() {
    List<Post> visible = new ArrayList<>();
    List<Post> forFollowers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Visibility visibility =
          i % 10 == 0 ? Visibility.PUBLIC : i % 10 == 5 ? Visibility.FOLLOWERS : Visibility.PRIVATE;
      Post post = bob.posts("post " + i, visibility);
      if (visibility == Visibility.PUBLIC) {
        visible.add(post);
      }
      if (visibility != Visibility.PRIVATE) {
        forFollowers.add(post);
      }
    }

    Paged.holds(caller, ofBob, ids(visible));
    ann.follows(bob);
    Paged.holds(caller, ofBob, ids(forFollowers));
    assertThat(Paged.ids(server.as(bob), ofBob, 50)).hasSize(40);
  }

  @Test
  void ofAuthor_withOnlyHiddenPostsLeft_endsWithoutCursor() {
    bob.posts("hidden", Visibility.PRIVATE);
    Post shown = bob.posts("shown");

    var page = caller.get(Paged.path(ofBob, 1, null));

    assertThat(Paged.ids(page)).containsExactly(shown.postId());
    assertThat(Paged.next(page)).isNull();
  }

  @Test
  void ofAuthor_deletedAndNewPostsInBetween_moveNothing() {
    List<Post> posts = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      posts.add(bob.posts("post " + i));
    }
    var first = caller.get(Paged.path(ofBob, 2, null));
    bob.posts("newer");
    bob.deletes(posts.get(3));
    bob.deletes(posts.get(2));

    var second = caller.get(Paged.path(ofBob, 2, Paged.next(first)));

    assertThat(Paged.ids(first)).containsExactly(posts.get(4).postId(), posts.get(3).postId());
    assertThat(Paged.ids(second)).containsExactly(posts.get(1).postId(), posts.get(0).postId());
  }

  @Test
  void ofAuthor_item_equalsTheSinglePost() {
    Post post = bob.posts("x");
    ann.likes(post);

    assertThat(caller.get(ofBob).text())
        .isEqualTo("{\"items\":[" + caller.get("/v1/posts/" + post.postId()).text() + "]}");
  }

  @Test
  void ofAuthor_invalidParameters_areRejected() {
    bob.posts("1");
    bob.posts("2");

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), ofBob, "/v1/users/" + ann.id() + "/posts", 50);
    Expect.problem(404, "not_found", caller.get("/v1/users/unknown/posts"));
    Expect.blames(400, "id", caller.get("/v1/users/a%23b/posts"));
    Expect.problem(401, "unauthenticated", server.anonymous().get(ofBob));
  }

  /** Writes the rows that the stream would write. */
  private Post tagged(String tag) {
    Post post = bob.posts("#" + tag);
    server
        .table()
        .table()
        .putAll(post.tags().stream().map(name -> PostTag.of(post, name)).toList());
    return post;
  }

  @Test
  void withTag_isNewestFirstInAnySpelling() {
    String tag = "grün_" + bob.id().replace('-', '_');
    List<Post> posts = List.of(tagged(tag), tagged(tag), tagged(tag));
    bob.deletes(posts.get(1));
    List<String> expected = ids(List.of(posts.get(0), posts.get(2)));
    String upper =
        java.net.URLEncoder.encode(
            tag.toUpperCase(java.util.Locale.ROOT), java.nio.charset.StandardCharsets.UTF_8);

    Paged.holds(caller, "/v1/tags/" + upper + "/posts", expected);
  }

  @Test
  void withTag_invalidParameters_areRejected() {
    String tag = "t_" + bob.id().replace('-', '_');
    tagged(tag);
    tagged(tag);

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), "/v1/tags/" + tag + "/posts", "/v1/tags/other/posts", 200);
    Expect.blames(400, "tag", caller.get("/v1/tags/a%20b/posts"));
    Expect.blames(400, "tag", caller.get("/v1/tags/a%23b/posts"));
    Expect.blames(400, "tag", caller.get("/v1/tags/" + "x".repeat(65) + "/posts"));
    Expect.problem(401, "unauthenticated", server.anonymous().get("/v1/tags/x/posts"));
  }

  @Test
  void withTag_unused_isEmpty() {
    assertThat(caller.get("/v1/tags/never_used/posts").text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void list_costsBatchesInsteadOfCallsPerItem() {
    for (int i = 0; i < 20; i++) {
      bob.posts("post " + i);
    }

    try (Bill _ = server.table().bill()) {
      var answer = caller.get(Paged.path(ofBob, 20, null));

      // One read of the author per post would add 10.
      double units = Double.parseDouble(answer.header("X-Consumed-Read-Units").orElseThrow());
      assertThat(units).isBetween(12.0, 14.0);
      assertThat(answer.header("X-Consumed-Write-Units")).hasValue("0");
    }
  }
}
