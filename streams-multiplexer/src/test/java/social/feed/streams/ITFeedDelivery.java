package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.DeliverChunkHandler.DeliverChunk;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.streams.plan.Lane;
import social.feed.table.home.FanOutProgress;
import social.feed.table.home.FanOuts;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Audiences that are served at once, audiences that are cut into chunks, and their progress. */
class ITFeedDelivery {
  private static final int CHUNK = 500;

  private StreamHarness harness;
  private FanOuts fanOuts;
  private Person ann;

  @BeforeEach
  void start() {
    harness = StreamHarness.start();
    fanOuts = new FanOuts(harness.table.table());
    ann = harness.world.user("ann");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void smallAudience_isServedAtOnce() {
    var bob = harness.world.user("bob");
    bob.follows(ann);
    harness.drain();
    var post = ann.posts("x");
    assertThat(fanOuts.progress(post.postId(), harness.table.clock().instant())).isEmpty();

    harness.drain();

    var progress = fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow();
    assertThat(progress.isDone()).isTrue();
    assertThat(progress.planned()).isEqualTo(1);
    assertThat(progress.written()).isEqualTo(1);
    assertThat(fanOuts.lastChunk(post.postId())).isEmpty();
  }

  @Test
  void noAudienceOrPrivatePost_isDone() {
    harness.world.user("bob").follows(ann);
    var withoutFollowers = harness.world.user("cid").posts("alone");
    var diary = ann.posts("diary", Visibility.PRIVATE);
    harness.drain();

    for (var post : List.of(withoutFollowers, diary)) {
      var progress = fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow();
      assertThat(progress.isDone()).isTrue();
      assertThat(progress.planned()).isZero();
    }
  }

  @Test
  void largeAudience_isCutAndReachesEachFollowerOnce() {
    var followers = audience(2 * CHUNK + 7);
    var post = ann.posts("x");

    harness.drain();

    assertThat(readers(post)).isEqualTo(followers);
    var progress = fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow();
    assertThat(progress.isDone()).isTrue();
    assertThat(progress.planned()).isEqualTo(followers.size());
    assertThat(progress.written()).isEqualTo(followers.size());
    assertThat(fanOuts.lastChunk(post.postId()).orElseThrow().number()).isEqualTo(2);
    var rows = harness.rows();
    harness.replay(Lane.EFFECTS);
    assertThat(readers(post)).isEqualTo(followers);
    assertThat(harness.rows()).hasSameSizeAs(rows);
  }

  @Test
  void planning_afterAnInterruption_continuesAfterTheLastChunk() {
    var followers = audience(2 * CHUNK + 7);
    harness.pause();
    var post = ann.posts("x");
    harness.between.after(
        request -> request instanceof PutItemRequest put && isChunk(put),
        () -> {
          throw new IllegalStateException("killed");
        });
    try {
      harness.handlers.apply(List.of(new FanOut(post)));
    } catch (IllegalStateException e) {
      assertThat(e).hasMessage("killed");
    }
    assertThat(harness.between.happened()).isTrue();
    assertThat(fanOuts.lastChunk(post.postId()).orElseThrow().number()).isZero();
    assertThat(
            fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow().isDone())
        .isFalse();

    harness.resume();
    harness.drain();

    assertThat(readers(post)).isEqualTo(followers);
    assertThat(
            fanOuts
                .progress(post.postId(), harness.table.clock().instant())
                .orElseThrow()
                .planned())
        .isEqualTo(followers.size());
  }

  @Test
  void delete_duringAChunk_leavesNothing() {
    audience(CHUNK + 3);
    harness.pause();
    var post = ann.posts("x");
    harness.handlers.apply(List.of(new FanOut(post)));
    var chunk = fanOuts.lastChunk(post.postId()).orElseThrow();
    harness.between.before(BatchWriteItemRequest.class::isInstance, () -> ann.deletes(post));

    harness.handlers.apply(List.of(new DeliverChunk(chunk)));

    assertThat(harness.between.happened()).isTrue();
    assertThat(readers(post)).isEmpty();
    harness.resume();
    harness.drain();
    assertThat(readers(post)).isEmpty();
  }

  @Test
  void change_beforeAChunk_leavesTheEntryOfTheAuthorOnly() {
    audience(3);
    var post = ann.posts("x");
    harness.drain();
    harness.pause();
    change(post, Visibility.PRIVATE);

    var plan = FanOutPlan.begun(post.postId(), "x", post.createdAt(), Long.MAX_VALUE / 10);
    var chunk = FanOutChunk.of(plan, post, 0, ann.id(), "fan00002", 3);
    harness.handlers.apply(List.of(new DeliverChunk(chunk)));

    assertThat(readers(post)).isEmpty();
    assertThat(harness.rows())
        .extracting(Row::key)
        .contains(FeedEntry.key(post.postId(), post.feedShards(), ann.id()));
  }

  @Test
  void unfollow_afterPlanning_isSkipped() {
    var followers = audience(CHUNK + 3);
    harness.pause();
    var post = ann.posts("x");
    harness.handlers.apply(List.of(new FanOut(post)));
    var gone = followers.iterator().next();
    harness.world.followWriter.unfollow(gone, ann.id());

    harness.resume();
    harness.drain();

    assertThat(readers(post)).hasSize(followers.size() - 1).doesNotContain(gone);
    var progress = fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow();
    assertThat(progress.isDone()).isTrue();
    assertThat(progress.skipped()).isEqualTo(1);
  }

  @Test
  void chunk_thatBecameADeadLetter_countsAsFailedUntilItIsDelivered() {
    audience(CHUNK + 3);
    harness.pause();
    var post = ann.posts("x");
    harness.handlers.apply(List.of(new FanOut(post)));
    var chunk = fanOuts.lastChunk(post.postId()).orElseThrow();

    harness.handlers.deadLettered(new DeliverChunk(chunk));

    assertThat(progress(post).failed()).isEqualTo(3);
    assertThat(outcome(post)).isEqualTo(ChunkOutcome.FAILED);
    harness.handlers.apply(List.of(new DeliverChunk(chunk)));
    assertThat(progress(post).failed()).isZero();
    assertThat(outcome(post)).isEqualTo(ChunkOutcome.DELIVERED);
  }

  @Test
  void delivery_thatBecameADeadLetter_isFailedUntilItIsRedriven() {
    audience(3);
    harness.pause();
    var post = ann.posts("x");

    harness.handlers.deadLettered(new FanOut(post));
    harness.handlers.deadLettered(new FanOut(post));

    assertThat(progress(post).isDeadLettered()).isTrue();
    assertThat(progress(post).isDone()).isFalse();
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(progress(post).isDeadLettered()).isFalse();
    assertThat(progress(post).isDone()).isTrue();
    harness.handlers.deadLettered(new FanOut(post));
    assertThat(progress(post).isDeadLettered()).as("delivered before").isFalse();
  }

  @Test
  void largeDelivery_thatBecameADeadLetter_isCutByTheRedrive() {
    audience(CHUNK + 3);
    harness.pause();
    var post = ann.posts("x");
    harness.handlers.deadLettered(new FanOut(post));

    harness.handlers.apply(List.of(new FanOut(post)));

    assertThat(progress(post).isDeadLettered()).isFalse();
    assertThat(progress(post).planned()).isEqualTo(CHUNK + 3);
  }

  @Test
  void chunk_withoutItsOutcome_isDeliveredAgainWithoutChanges() {
    var followers = audience(CHUNK + 3);
    harness.pause();
    var post = ann.posts("x");
    harness.between.before(
        ITFeedDelivery::notesOutcome,
        () -> {
          throw new IllegalStateException("killed");
        });
    harness.resume();
    harness.drain();

    assertThat(harness.between.happened()).isTrue();
    assertThat(readers(post)).isEqualTo(followers);
    assertThat(progress(post).isDone()).isTrue();
  }

  @Test
  void chunk_isUntriedUntilItsFirstAttempt() {
    audience(CHUNK);
    harness.pause();
    var post = ann.posts("x");
    harness.handlers.apply(List.of(new FanOut(post)));
    var chunk = fanOuts.lastChunk(post.postId()).orElseThrow();
    assertThat(chunk.untried()).isTrue();

    assertThat(fanOuts.beginFirst(chunk)).isTrue();
    assertThat(fanOuts.beginFirst(chunk)).isFalse();

    assertThat(fanOuts.lastChunk(post.postId()).orElseThrow().untried()).isNull();
  }

  @Test
  void chunk_thatHasExpired_isNotBegunAndNotWritten() {
    var post = ann.posts("x");
    var plan = FanOutPlan.begun(post.postId(), "x", post.createdAt(), 1);
    var chunk = FanOutChunk.of(plan, post, 0, "a", "b", 2).asUntried();

    assertThat(fanOuts.beginFirst(chunk)).isFalse();

    assertThat(fanOuts.lastChunk(post.postId())).isEmpty();
  }

  /** The first attempt may have delivered the post to a smaller audience. */
  @Test
  void chunk_thatALaterAttemptOfTheFanOutCuts_isNotUntried() {
    audience(CHUNK);
    harness.pause();
    var post = ann.posts("x");
    harness.world.feeds.deliver(List.of(FeedEntry.of(post.ref(), ann.id())));

    harness.handlers.apply(List.of(new FanOut(post)));

    assertThat(fanOuts.lastChunk(post.postId()).orElseThrow().untried()).isNull();
  }

  /** The delivery of the change was done before the old record took the entries away. */
  @Test
  void largeAudience_ofAPostThatIsShownAgain_whileAnOldRecordRemovesIt_isCutAgain() {
    var followers = audience(CHUNK + 7);
    var post = ann.posts("x");
    harness.drain();
    harness.pause();
    change(post, Visibility.PRIVATE);
    harness.between.before(
        ITFeedDelivery::deletesEntries,
        () -> {
          change(post, Visibility.PUBLIC);
          harness.handlers.apply(List.of(new ChangeVisibility(post)));
          deliverNewChunks(post);
        });
    harness.handlers.apply(List.of(new FanOut(post)));
    assertThat(harness.between.happened()).isTrue();
    assertThat(readers(post)).as("a part was removed").hasSizeLessThan(20);

    deliverNewChunks(post);
    assertThat(readers(post)).isEqualTo(followers);

    // The order to remove the rest finds that the post is shown.
    harness.resume();
    harness.drain();
    assertThat(readers(post)).isEqualTo(followers);
  }

  private void change(Post post, Visibility visibility) {
    assertThat(harness.world.posts.changeVisibility(post.postId(), ann.id(), visibility))
        .isPresent();
  }

  private void deliverNewChunks(Post post) {
    harness.rows().stream()
        .filter(FanOutChunk.class::isInstance)
        .map(FanOutChunk.class::cast)
        .filter(chunk -> chunk.postId().equals(post.postId()) && chunk.outcome() == null)
        .forEach(chunk -> harness.handlers.apply(List.of(new DeliverChunk(chunk))));
  }

  private static boolean deletesEntries(SdkRequest request) {
    return request instanceof BatchWriteItemRequest batch
        && batch.toString().contains("DeleteRequest")
        && batch.toString().contains("FEED#");
  }

  private FanOutProgress progress(Post post) {
    return fanOuts.progress(post.postId(), harness.table.clock().instant()).orElseThrow();
  }

  private ChunkOutcome outcome(Post post) {
    return fanOuts.lastChunk(post.postId()).map(FanOutChunk::outcome).orElseThrow();
  }

  private static boolean notesOutcome(SdkRequest request) {
    return request instanceof UpdateItemRequest update
        && update.expressionAttributeNames().containsValue(FanOutChunk.OUTCOME);
  }

  private static boolean isChunk(PutItemRequest put) {
    return put.item().toString().contains("FAN_OUT_CHUNK");
  }

  /** Writes edges at once. The followers have no accounts, since nothing reads them here. */
  private Set<String> audience(int size) {
    var at = harness.table.clock().instant();
    var edges =
        IntStream.range(0, size)
            .mapToObj(i -> Follow.imported("fan%05d".formatted(i), ann.id(), at))
            .toList();
    harness.table.table().putAll(edges);
    harness.drain();
    return edges.stream().map(Follow::followerId).collect(Collectors.toSet());
  }

  /** The readers whose feeds hold a post, without its author. */
  private Set<String> readers(Post post) {
    return harness.rows().stream()
        .filter(FeedEntry.class::isInstance)
        .map(FeedEntry.class::cast)
        .filter(entry -> entry.postId().equals(post.postId()))
        .map(FeedEntry::readerId)
        .filter(reader -> !reader.equals(ann.id()))
        .collect(Collectors.toSet());
  }
}
