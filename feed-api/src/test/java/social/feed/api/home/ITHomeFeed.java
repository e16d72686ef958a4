package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.api.edge.security.TestViewer;
import social.feed.api.http.Answer;
import social.feed.api.http.Api;
import social.feed.api.http.Expect;
import social.feed.api.http.FeedServer;
import social.feed.api.http.FeedServerExtension;
import social.feed.api.http.Paged;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;

@ExtendWith(FeedServerExtension.class)
class ITHomeFeed {
  private static final String SPECIAL_FIRST = "/v1/feed?special_first=true";
  private static final int SPECIAL_MAX = 30;

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

  /** Delivers a post as the stream does. */
  private Post delivered(Post post) {
    world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));
    return post;
  }

  private void assertFeed(Post... newestFirst) {
    Paged.holds(
        caller, "/v1/feed", java.util.Arrays.stream(newestFirst).map(Post::postId).toList());
  }

  @Test
  void feed_withoutFollows_isEmpty() {
    assertThat(caller.get("/v1/feed").text()).isEqualTo("{\"items\":[]}");
    assertThat(server.as("stranger").get("/v1/feed").text()).isEqualTo("{\"items\":[]}");
  }

  /** Until then old posts are read from their authors, which costs more. */
  @Test
  void feed_isReadAsStored_onceItsRebuildHasEnded() {
    var tracker = server.bean(FeedReadTracker.class);
    var viewer = TestViewer.of(ann.id(), server.table().table(), Clock.systemUTC());
    Instant now = Timestamps.now(Clock.systemUTC());
    Instant from = now.minus(Duration.ofDays(20));
    server.table().table().putAll(List.of(new FeedActivity(ann.id(), now, now, from)));
    assertThat(tracker.open(viewer).storedSince()).isEqualTo(now);

    server.table().table().putAll(List.of(new FeedActivity(ann.id(), now, from, null)));
    assertThat(tracker.open(viewer).storedSince()).isEqualTo(from);
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
  void feed_staleEntries_areInvisible() {
    ann.follows(bob);
    Post stays = delivered(bob.posts("stays"));
    bob.deletes(delivered(bob.posts("deleted")));
    delivered(bob.posts("private", Visibility.PRIVATE));
    delivered(carol.posts("never followed"));
    Post newest = delivered(bob.posts("newest"));

    assertFeed(newest, stays);
  }

  @Test
  void feed_afterUnfollow_losesThePostsUnlessRetained() {
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
  void feed_item_equalsTheSinglePost() {
    ann.follows(bob);
    Post post = delivered(bob.posts("x #tag @" + carol.account().handle()));
    ann.likes(post);

    assertThat(caller.get("/v1/feed").text())
        .isEqualTo("{\"items\":[" + caller.get("/v1/posts/" + post.postId()).text() + "]}");
  }

  @Test
  void feed_invalidParameters_areRejected() {
    delivered(ann.posts("1"));
    delivered(ann.posts("2"));

    Paged.rejectsInvalidParameters(
        caller, server.as(bob), "/v1/feed", "/v1/users/" + ann.id() + "/posts", 50);
    Expect.problem(401, "unauthenticated", server.anonymous().get("/v1/feed"));
  }

  @Test
  void feed_specialFirst_hasTwoPartsInPagesOfAnySize() {
    ann.follows(bob);
    ann.follows(carol);
    ann.marks(bob);
    Post one = delivered(bob.posts("1"));
    Post two = delivered(carol.posts("2"));
    Post three = delivered(ann.posts("3"));
    Post four = delivered(bob.posts("4", Visibility.FOLLOWERS));
    Post five = delivered(carol.posts("5"));
    delivered(bob.posts("hidden", Visibility.PRIVATE));
    bob.deletes(delivered(bob.posts("deleted")));

    assertSpecialFirst(four, one, five, three, two);
    assertFeed(five, four, three, two, one);
    assertThat(ids("/v1/feed?special_first=false")).isEqualTo(ids("/v1/feed"));
    ann.mutes(bob);
    assertSpecialFirst(five, three, two);
    ann.unmutes(bob);
    ann.unmarks(bob);
    assertSpecialFirst(five, four, three, two, one);
  }

  @Test
  void feed_specialFirst_keepsThePartsOfTheFirstPage() {
    ann.follows(bob);
    ann.follows(carol);
    ann.marks(bob);
    Post one = delivered(bob.posts("1"));
    Post two = delivered(carol.posts("2"));
    Post three = delivered(bob.posts("3"));
    Post four = delivered(carol.posts("4"));
    Answer page = caller.get(SPECIAL_FIRST + "&limit=1");
    assertThat(Paged.ids(page)).containsExactly(three.postId());

    ann.unmarks(bob);
    ann.marks(carol);
    delivered(bob.posts("newer"));
    delivered(carol.posts("newer"));
    List<String> seen = new ArrayList<>();
    for (String cursor = Paged.next(page); cursor != null; cursor = Paged.next(page)) {
      page = caller.get(SPECIAL_FIRST + "&limit=1&cursor=" + cursor);
      seen.addAll(Paged.ids(page));
    }

    assertThat(seen).contains(one.postId(), four.postId(), two.postId()).hasSize(4);
    assertThat(seen.getFirst()).isEqualTo(one.postId());
  }

  @Test
  void feed_specialFirst_afterUnfollowOrBlockBetweenPages_isWithoutThem() {
    ann.follows(bob);
    ann.follows(carol);
    ann.marks(bob);
    delivered(bob.posts("1"));
    Post two = delivered(carol.posts("2"));
    delivered(bob.posts("3"));
    Answer page = caller.get(SPECIAL_FIRST + "&limit=1");

    bob.blocks(ann);

    assertThat(Paged.ids(caller.get(SPECIAL_FIRST + "&cursor=" + Paged.next(page))))
        .containsExactly(two.postId());
    assertSpecialFirst(two);
  }

  @Test
  void feed_specialFirst_rejectsCursorsOfTheOtherOrder() {
    ann.follows(bob);
    ann.marks(bob);
    delivered(bob.posts("1"));
    delivered(ann.posts("2"));
    String special = Paged.next(caller.get(SPECIAL_FIRST + "&limit=1"));
    String plain = Paged.next(caller.get("/v1/feed?limit=1"));

    Expect.problem(400, "invalid_cursor", caller.get("/v1/feed?cursor=" + special));
    Expect.problem(400, "invalid_cursor", caller.get(SPECIAL_FIRST + "&cursor=" + plain));
    Paged.rejectsInvalidParameters(caller, server.as(bob), SPECIAL_FIRST, "/v1/feed", 50);
    Expect.blames(400, "special_first", caller.get("/v1/feed?special_first=maybe"));
  }

  @Test
  void feed_specialFirst_atTheCap_hasCursorsThatFit() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < SPECIAL_MAX; i++) {
      Person star = world.user("s".repeat(50) + i);
      ann.follows(star);
      ann.marks(star);
      expected.addFirst(delivered(star.posts("x")).postId());
    }
    Post other = delivered(ann.posts("x"));
    expected.add(other.postId());

    assertThat(Paged.ids(caller, SPECIAL_FIRST + "&explain=true", 7)).isEqualTo(expected);
  }

  private void assertSpecialFirst(Post... expected) {
    Paged.holds(
        caller, SPECIAL_FIRST, java.util.Arrays.stream(expected).map(Post::postId).toList());
  }

  private List<String> ids(String path) {
    return Paged.ids(caller, path, 5);
  }

  @Test
  void firstRead_afterLongAbsence_isCompleteAndRecorded() {
    ann.follows(bob);
    var activities = new FeedActivities(server.table().table());
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
  void posts_olderThanStoredFeeds_areReadFromTheirAuthors() {
    var old = server.table().clock().instant();
    world.followWriter.follow(Follow.of(ann.id(), bob.id(), old));
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
