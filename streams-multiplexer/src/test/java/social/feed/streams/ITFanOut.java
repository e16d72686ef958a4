package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.plan.Lane;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Notification;
import social.feed.table.row.Post;
import social.feed.table.row.PostTag;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.core.SdkRequest;

class ITFanOut {
  private StreamHarness harness;
  private Person ann;
  private Person bob;
  private Person cid;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cid = harness.world.user("cid");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void post_reachesItsAuthorAndFollowersOnly() {
    bob.follows(ann);
    var post = ann.posts("hello");
    harness.drain();
    assertThat(harness.feed(ann)).containsExactly(post.postId());
    assertThat(harness.feed(bob)).containsExactly(post.postId());
    assertThat(harness.feed(cid)).isEmpty();
  }

  @Test
  void postForFollowers_isDelivered_privatePostToItsAuthorOnly() {
    bob.follows(ann);
    var followers = ann.posts("friends", Visibility.FOLLOWERS);
    var secret = ann.posts("diary", Visibility.PRIVATE);
    harness.drain();
    assertThat(harness.feed(bob)).containsExactly(followers.postId());
    assertThat(harness.feed(ann)).containsExactly(secret.postId(), followers.postId());
  }

  @Test
  void entries_lieInTheShardOfPostAndReader() {
    bob.follows(ann);
    cid.follows(ann);
    var post = ann.posts("hello");
    harness.drain();
    var keys = entries().stream().map(entry -> entry.key().toString()).toList();
    assertThat(keys)
        .containsExactlyInAnyOrderElementsOf(
            List.of(ann, bob, cid).stream().map(reader -> key(post, reader)).toList());
  }

  @Test
  void delete_removesEntriesTagsLikesCommentsAndTheirNotifications() {
    bob.follows(ann);
    var post = ann.posts("hello @" + bob.account().handle() + " #sea #sun");
    bob.likes(post);
    ann.likes(post);
    cid.comments(post, "well");
    harness.drain();
    assertThat(ofPost(post)).hasSize(12);
    ann.deletes(post);
    harness.drain();
    assertThat(ofPost(post)).isEmpty();
  }

  @Test
  void delete_duringFanOut_leavesNothing() {
    bob.follows(ann);
    harness.drain();
    harness.between.after(StreamHarness::writesInBulk, () -> ann.deletes(newestOf(ann)));
    var post = ann.posts("hello #sea");
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(ofPost(post)).isEmpty();
  }

  @Test
  void deleteAndPost_beforeDelivery_leaveNothing() {
    bob.follows(ann);
    harness.drain();
    harness.pause();
    var post = ann.posts("hello #sea");
    ann.deletes(post);
    harness.resume();
    harness.drain();
    assertThat(ofPost(post)).isEmpty();
  }

  @Test
  void unfollow_betweenWriteAndCheck_removesTheEntry() {
    bob.follows(ann);
    cid.follows(ann);
    harness.drain();
    harness.between.after(request -> StreamHarness.writes(request, bob), () -> bob.unfollows(ann));
    var post = ann.posts("hello");
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).isEmpty();
    assertThat(harness.feed(cid)).containsExactly(post.postId());
  }

  /** The post is older than the end of the edge. */
  @Test
  void unfollowThatKeepsThePast_betweenWriteAndCheck_keepsTheEntry() {
    bob.follows(ann);
    harness.drain();
    harness.between.after(
        request -> StreamHarness.writes(request, bob), () -> bob.unfollowsKeepingHistory(ann));
    var post = ann.posts("hello");
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).containsExactly(post.postId());
    // A withdrawal would be taken back, and not be counted as written.
    assertThat(
            new FanOuts(harness.table.table())
                .progress(post.postId(), harness.table.clock().instant()))
        .hasValueSatisfying(progress -> assertThat(progress.written()).isEqualTo(1));
  }

  @Test
  void unfollow_betweenAudienceAndWrite_removesTheEntry() {
    bob.follows(ann);
    harness.drain();
    harness.between.before(request -> StreamHarness.writes(request, bob), () -> bob.unfollows(ann));
    ann.posts("hello");
    harness.drain();
    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).isEmpty();
  }

  @Test
  void followAgain_whileTheFanOutRemovesTheEntry_keepsIt() {
    bob.follows(ann);
    harness.drain();
    harness.pause();
    var post = ann.posts("hello");
    harness.between.after(request -> StreamHarness.writes(request, bob), () -> bob.unfollows(ann));
    harness.between.before(
        request -> withdraws(request, bob),
        () -> harness.handlers.apply(List.of(new Backfill(bob.follows(ann)))));
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(harness.between.happened()).isTrue();
    assertThat(harness.feed(bob)).containsExactly(post.postId());
  }

  @Test
  void fanOut_cutOffBeforeItsCheck_leavesNoEntryToAFormerFollower() {
    harness.pause();
    var post = ann.posts("hello");
    harness.world.feeds.deliver(
        List.of(FeedEntry.of(post.ref(), ann.id()), FeedEntry.of(post.ref(), bob.id())));
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(harness.feed(bob)).isEmpty();
    assertThat(harness.feed(ann)).containsExactly(post.postId());
  }

  @Test
  void fanOut_ofADeletedPost_removesEntriesOfAnEarlierAttempt() {
    harness.pause();
    var post = ann.posts("hello");
    ann.deletes(post);
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), bob.id())));
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(harness.feed(bob)).isEmpty();
  }

  @Test
  void unfollowAndPost_beforeDelivery_inEitherOrder_leaveNoEntry() {
    bob.follows(ann);
    cid.follows(ann);
    harness.drain();
    harness.pause();
    bob.unfollows(ann);
    ann.posts("hello");
    cid.unfollows(ann);
    harness.resume();
    harness.drain();
    assertThat(harness.feed(bob)).isEmpty();
    assertThat(harness.feed(cid)).isEmpty();
  }

  @Test
  void orphans_writtenAfterTheirPostWasDeleted_areRemoved() {
    var post = ann.posts("hello");
    ann.deletes(post);
    harness.drain();
    bob.likes(post);
    cid.comments(post, "late");
    ann.likes(post);
    ann.comments(post, "mine");
    harness.drain();
    assertThat(ofPost(post)).isEmpty();
    assertThat(harness.deadLetters).isEmpty();
  }

  @Test
  void replay_deliversNoOlderPostsToALaterFollower() {
    for (int i = 0; i < StreamHarness.NEWEST + 3; i++) {
      ann.posts("post " + i);
      harness.table.clock().advance(java.time.Duration.ofHours(1));
    }
    harness.drain();
    bob.follows(ann);
    harness.drain();
    var before = harness.feed(bob);
    assertThat(before).hasSize(StreamHarness.NEWEST);
    harness.replay(Lane.EFFECTS);
    assertThat(harness.feed(bob)).isEqualTo(before);
  }

  private Post newestOf(Person author) {
    var newest = harness.world.posts.ofAuthor(author.id(), PageRequest.first(1)).items();
    return harness.world.posts.get(newest.getFirst().postId()).orElseThrow();
  }

  private static boolean withdraws(SdkRequest request, Person reader) {
    return StreamHarness.writes(request, reader) && request.toString().contains("DeleteRequest=");
  }

  private static String key(Post post, Person reader) {
    int shard = FeedEntry.shard(post.postId(), reader.id(), post.feedShards());
    return "FANOUT#" + post.postId() + "#" + shard + " / FEED#" + reader.id();
  }

  private Set<FeedEntry> entries() {
    return harness.rows().stream()
        .filter(FeedEntry.class::isInstance)
        .map(FeedEntry.class::cast)
        .collect(Collectors.toSet());
  }

  /** Every row of a post: itself, its children, its entries, its notifications. */
  private List<Row> ofPost(Post post) {
    return harness.rows().stream().filter(row -> isOf(post, row)).toList();
  }

  private static boolean isOf(Post post, Row row) {
    return switch (row) {
      case Notification notification -> post.postId().equals(notification.postId());
      case PostTag tag -> post.postId().equals(tag.postId());
      default ->
          row.key().partition().equals("POST#" + post.postId())
              || row.key().partition().startsWith("FANOUT#" + post.postId());
    };
  }
}
