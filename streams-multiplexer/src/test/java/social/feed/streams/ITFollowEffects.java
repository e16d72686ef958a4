package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.effect.RemoveFromFeedHandler.RemoveFromFeed;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;

class ITFollowEffects {
  private StreamHarness harness;
  private Person ann;
  private Person bob;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void follow_deliversTheNewestPostsAtTheirOwnTime_andNotesHowFarBack() {
    var posts = posts(StreamHarness.NEWEST + 2);
    harness.drain();
    bob.follows(ann);
    harness.drain();
    var newest = newest(posts);
    assertThat(feed(bob)).isEqualTo(newest.stream().map(Post::postId).toList());
    assertThat(refs(bob))
        .extracting(FeedRef::createdAt)
        .isEqualTo(newest.stream().map(Post::createdAt).toList());
    assertThat(feedSince()).isEqualTo(newest.getLast().createdAt());
  }

  @Test
  void follow_deliversNoPrivatePosts() {
    ann.posts("diary", Visibility.PRIVATE);
    var friends = ann.posts("friends", Visibility.FOLLOWERS);
    bob.follows(ann);
    harness.drain();
    assertThat(feed(bob)).containsExactly(friends.postId());
  }

  @Test
  void follow_cutOffAfterItsNote_deliversAllSinceTheNote_afterMorePosts() {
    var posts = posts(StreamHarness.NEWEST);
    harness.drain();
    harness.pause();
    var edge = bob.follows(ann);
    harness.world.follows.noteBackfilled(edge, posts.getFirst().createdAt());
    var more = posts(StreamHarness.NEWEST);
    harness.handlers.apply(List.of(new Backfill(edge)));
    assertThat(feed(bob)).hasSize(posts.size() + more.size());
  }

  @Test
  void follow_cutOffBeforeItsCheck_leavesNoDeletedPost() {
    var post = posts(1).getFirst();
    ann.deletes(post);
    harness.drain();
    harness.pause();
    var edge = bob.follows(ann);
    harness.world.follows.noteBackfilled(edge, post.createdAt());
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));
    harness.resume();
    harness.drain();
    assertThat(feed(bob)).isEmpty();
  }

  /** As after a redrive that was cut off while the unfollow was handled. */
  @Test
  void follow_replayedAfterTheUnfollow_removesItsEntries() {
    var post = posts(1).getFirst();
    var cid = harness.world.user("cid");
    bob.follows(cid);
    var other = cid.posts("other");
    var edge = bob.follows(ann);
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));
    harness.handlers.apply(List.of(new Backfill(edge)));
    assertThat(feed(bob)).containsExactly(other.postId());
  }

  @Test
  void follow_replayedAfterMorePosts_keepsItsNote() {
    posts(2);
    bob.follows(ann);
    harness.drain();
    var noted = feedSince();
    var before = posts(StreamHarness.NEWEST);
    harness.drain();
    var feed = feed(bob);
    harness.replay(Lane.EFFECTS);
    assertThat(feedSince()).isEqualTo(noted);
    assertThat(feed(bob)).isEqualTo(feed).hasSize(2 + before.size());
  }

  @Test
  void follow_replayedAfterDeletes_deliversNoOlderPosts() {
    var posts = posts(StreamHarness.NEWEST + 3);
    harness.drain();
    bob.follows(ann);
    harness.drain();
    ann.deletes(posts.getLast());
    harness.drain();
    var feed = feed(bob);
    harness.replay(Lane.EFFECTS);
    assertThat(feed(bob)).isEqualTo(feed).hasSize(StreamHarness.NEWEST - 1);
  }

  @Test
  void unfollow_removesTheAuthorsPostsOnly() {
    var cid = harness.world.user("cid");
    posts(2);
    var other = cid.posts("other");
    bob.follows(ann);
    bob.follows(cid);
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    assertThat(feed(bob)).containsExactly(other.postId());
  }

  @Test
  void unfollow_ofAnAuthorOfManyPosts_removesAllPages() {
    harness.pause();
    var edge = bob.follows(ann);
    var posts = IntStream.range(0, 230).mapToObj(i -> ann.posts("post " + i)).toList();
    harness.world.feeds.deliver(
        posts.stream().map(post -> FeedEntry.of(post.ref(), bob.id())).toList());
    bob.unfollows(ann);
    harness.handlers.apply(List.of(new RemoveFromFeed(edge)));
    assertThat(feed(bob)).isEmpty();
  }

  /** Feeds hold none of them, so one page of the author's list says so. */
  @Test
  void unfollow_ofAnAuthorOfManyOldPulledPosts_readsNoneButTheNewest() {
    harness.pause();
    var edge = bob.follows(ann);
    var random = new Random(1);
    var old = harness.table.clock().instant().minus(Duration.ofDays(200));
    harness
        .table
        .table()
        .putAll(
            IntStream.range(0, 1_000)
                .mapToObj(
                    i ->
                        SamplePosts.by(ann.id(), old.minusSeconds(i))
                            .randomId(random)
                            .delivery(FanOutMode.PULL)
                            .build())
                .toList());
    bob.unfollows(ann);

    var cost = TestTable.costOf(() -> harness.handlers.apply(List.of(new RemoveFromFeed(edge))));

    assertThat(cost.read()).as("a page of a hundred posts").isLessThanOrEqualTo(10);
  }

  @Test
  void follow_handledLate_deliversAllSinceTheFollow() {
    posts(StreamHarness.NEWEST);
    harness.drain();
    harness.pause();
    var edge = bob.follows(ann);
    var since = posts(StreamHarness.NEWEST + 7);
    harness.handlers.apply(List.of(new Backfill(edge)));
    assertThat(feed(bob)).isEqualTo(since.reversed().stream().map(Post::postId).toList());
    assertThat(feedSince()).isEqualTo(edge.createdAt());
    harness.resume();
    harness.drain();
    assertThat(feed(bob)).hasSize(since.size());
  }

  @Test
  void follow_ofAnAuthorOfRecentPrivatePosts_deliversOlderPosts() {
    var open = ann.posts("open");
    for (int i = 0; i < 60; i++) {
      ann.posts("diary " + i, Visibility.PRIVATE);
    }
    bob.follows(ann);
    harness.drain();
    assertThat(feed(bob)).containsExactly(open.postId());
  }

  @Test
  void unfollow_keepingHistoryWhileDelivering_keepsThePost() {
    bob.follows(ann);
    harness.drain();
    harness.pause();
    var post = ann.posts("just before");
    harness.between.before(
        request -> writesInBulk(request) && request.toString().contains(bob.id()),
        () -> bob.unfollowsKeepingHistory(ann));
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(harness.between.happened()).isTrue();
    assertThat(feed(bob)).containsExactly(post.postId());
    harness.resume();
    harness.drain();
    assertThat(feed(bob)).containsExactly(post.postId());
  }

  @Test
  void unfollow_withoutHistory_replayedAfterOneThatKeepsIt_losesNothing() {
    posts(2);
    var first = bob.follows(ann);
    bob.unfollows(ann);
    bob.follows(ann);
    harness.drain();
    bob.unfollowsKeepingHistory(ann);
    harness.drain();
    harness.handlers.apply(List.of(new RemoveFromFeed(first)));
    assertThat(feed(bob)).hasSize(2);
  }

  @Test
  void unfollow_withoutHistory_afterOneThatKeptIt_removesAll() {
    posts(2);
    bob.follows(ann);
    bob.unfollowsKeepingHistory(ann);
    bob.follows(ann);
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    assertThat(feed(bob)).isEmpty();
  }

  @Test
  void unfollow_keepingHistory_keepsThePastAndGetsNothingNew() {
    posts(2);
    bob.follows(ann);
    harness.drain();
    bob.unfollowsKeepingHistory(ann);
    harness.drain();
    ann.posts("later");
    harness.drain();
    assertThat(refs(bob)).hasSize(2);
    harness.replay(Lane.EFFECTS);
    assertThat(refs(bob)).hasSize(2);
  }

  @Test
  void unfollow_duringBackfill_leavesNothing() {
    posts(2);
    harness.drain();
    harness.between.before(ITFollowEffects::writesInBulk, () -> bob.unfollows(ann));
    bob.follows(ann);
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(feed(bob)).isEmpty();
  }

  @Test
  void delete_duringBackfill_leavesNothing() {
    var post = posts(1).getFirst();
    harness.drain();
    harness.between.before(ITFollowEffects::writesInBulk, () -> ann.deletes(post));
    bob.follows(ann);
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(feed(bob)).isEmpty();
  }

  @Test
  void followAgain_restoresThePosts_andReplaysLoseNone() {
    posts(3);
    bob.follows(ann);
    harness.drain();
    bob.unfollows(ann);
    harness.drain();
    bob.follows(ann);
    harness.drain();
    assertThat(feed(bob)).hasSize(3);
    harness.replay(Lane.EFFECTS);
    assertThat(feed(bob)).hasSize(3);
  }

  @Test
  void followAgain_afterKeeping_hasEachPostOnce() {
    posts(3);
    bob.follows(ann);
    harness.drain();
    bob.unfollowsKeepingHistory(ann);
    bob.follows(ann);
    harness.drain();
    assertThat(feed(bob)).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void removal_handledLateAfterFollowAgain_losesNothing() {
    posts(3);
    var first = bob.follows(ann);
    bob.unfollows(ann);
    bob.follows(ann);
    harness.drain();
    harness.handlers.apply(List.of(new RemoveFromFeed(first)));
    assertThat(feed(bob)).hasSize(3);
  }

  @Test
  void removal_whileFollowingAgain_losesNothing() {
    posts(2);
    var first = bob.follows(ann);
    harness.drain();
    harness.pause();
    bob.unfollows(ann);
    harness.between.before(ITFollowEffects::writesInBulk, () -> bob.follows(ann));
    harness.handlers.apply(List.of(new RemoveFromFeed(first)));
    assertThat(harness.between.happened()).isTrue();
    // The backfill of the new edge has not run: the entries that are there were not removed.
    assertThat(feed(bob)).hasSize(2);
    harness.resume();
    harness.drain();
    assertThat(feed(bob)).hasSize(2);
  }

  private List<Post> posts(int number) {
    var posts = new ArrayList<Post>();
    for (int i = 0; i < number; i++) {
      posts.add(ann.posts("post " + i));
      harness.table.clock().advance(Duration.ofHours(1));
    }
    return posts;
  }

  private static List<Post> newest(List<Post> posts) {
    return posts.reversed().subList(0, StreamHarness.NEWEST);
  }

  private Instant feedSince() {
    return java.util.Objects.requireNonNull(
        harness.world.follows.get(bob.id(), ann.id()).orElseThrow().feedSince());
  }

  private static boolean writesInBulk(SdkRequest request) {
    return request instanceof BatchWriteItemRequest;
  }

  private List<FeedRef> refs(Person reader) {
    return harness.world.feeds.stored(reader.id(), PageRequest.first(50)).items();
  }

  private List<String> feed(Person reader) {
    return refs(reader).stream().map(FeedRef::postId).toList();
  }
}
