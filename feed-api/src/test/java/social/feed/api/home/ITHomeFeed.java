package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.home.Activities;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITHomeFeed {
  private final FeedServer server;
  private final SeedWorld world;
  private final Person ann;
  private final Person bob;
  private final Person carol;
  private final Api caller;

  ITHomeFeed(FeedServer server, SeedWorld world) {
    this.server = server;
    this.world = world;
    this.ann = world.user("ann");
    this.bob = world.user("bob");
    this.carol = world.user("carol");
    this.caller = server.as(ann);
  }

  /** What the stream would do. */
  private Post delivered(Post post) {
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post;
  }

  private void assertFeed(Post... newestFirst) {
    Paged.holds(
        caller, "/v1/feed", java.util.Arrays.stream(newestFirst).map(Post::postId).toList());
  }

  @Test
  void feed_ofNobodyFollowed_isEmpty() {
    assertThat(caller.get("/v1/feed").text()).isEqualTo("{\"items\":[]}");
    assertThat(server.as("stranger").get("/v1/feed").text()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void feed_mixesFollowedAndOwn_newestFirst() {
    ann.follows(bob);
    ann.follows(carol);
    Post one = delivered(bob.posts("1"));
    Post two = delivered(carol.posts("2", Visibility.FOLLOWERS));
    Post three = delivered(ann.posts("3", Visibility.PRIVATE));
    Post four = delivered(bob.posts("4"));

    assertFeed(four, three, two, one);
  }

  @Test
  void feed_whatIsLateInTheTable_isInvisible() {
    ann.follows(bob);
    Post stays = delivered(bob.posts("stays"));
    bob.deletes(delivered(bob.posts("deleted")));
    delivered(bob.posts("private", Visibility.PRIVATE));
    delivered(carol.posts("never followed"));
    Post newest = delivered(bob.posts("newest"));

    assertFeed(newest, stays);
  }

  @Test
  void feed_afterUnfollow_losesThePostsUnlessKept() {
    ann.follows(bob);
    ann.follows(carol);
    Post lost = delivered(bob.posts("lost"));
    Post kept = delivered(carol.posts("kept"));
    Post keptForFollowers = delivered(carol.posts("for followers", Visibility.FOLLOWERS));
    assertFeed(keptForFollowers, kept, lost);

    ann.unfollows(bob);
    ann.unfollowsKeepingHistory(carol);

    assertFeed(kept);
  }

  @Test
  void feed_wherePagesAreMostlyHidden_refills() {
    ann.follows(bob);
    List<Post> visible = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      Post post = delivered(i % 23 == 0 ? bob.posts("b" + i) : carol.posts("c" + i));
      if (i % 23 == 0) {
        visible.addFirst(post);
      }
    }

    assertFeed(visible.toArray(Post[]::new));
  }

  @Test
  void feed_itemIsTheSameAsAlone() {
    ann.follows(bob);
    Post post = delivered(bob.posts("x #tag @" + carol.account().handle()));
    ann.likes(post);

    assertThat(caller.get("/v1/feed").text())
        .isEqualTo("{\"items\":[" + caller.get("/v1/posts/" + post.postId()).text() + "]}");
  }

  @Test
  void feed_refusesNonsense() {
    delivered(ann.posts("1"));
    delivered(ann.posts("2"));

    Paged.refusesNonsense(
        caller, server.as(bob), "/v1/feed", "/v1/users/" + ann.id() + "/posts", 50);
    Expect.problem(401, "unauthenticated", server.anonymous().get("/v1/feed"));
  }

  @Test
  void firstReadAfterLong_isComplete_andNoted() {
    ann.follows(bob);
    var activities = new Activities(server.table().table());
    var since = ann.account().createdAt().minus(Duration.ofDays(40));
    activities.read(ann.id(), since, () -> Optional.of(since));
    Post one = bob.posts("1");
    Post two = bob.posts("2", Visibility.FOLLOWERS);
    bob.posts("3", Visibility.PRIVATE);

    assertFeed(two, one);
    var awoken = activities.get(ann.id()).orElseThrow();
    assertThat(awoken.storedSince()).isAfter(two.createdAt());
    activities.rebuilt(awoken, two.createdAt());
    Post three = delivered(bob.posts("4"));
    delivered(two);
    assertFeed(three, two, one);
  }

  @Test
  void postsTooOldForAnyFeed_areReadFromTheirAuthors() {
    var old = server.table().clock().instant();
    world.followWrites.follow(Follow.of(ann.id(), bob.id(), old));
    var past = new SeedWorld(server.table().table(), server.table().clock());
    Post one = past.by(bob).posts("1");
    Post two = past.by(bob).posts("2");
    Post three = delivered(bob.posts("3"));
    Post own = past.by(ann).posts("mine", Visibility.PRIVATE);

    assertFeed(three, own, two, one);
    List<String> modes = new ArrayList<>();
    caller
        .get("/v1/feed?explain=true")
        .json()
        .get("items")
        .values()
        .forEach(post -> modes.add(post.get("explain").get("mode").getStringValue()));
    assertThat(modes).containsExactly("push", "pull", "pull", "pull");
  }
}
