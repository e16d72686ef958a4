package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.Failed;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.effect.BackfillHandler.Backfill;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.FeedRef;
import social.feed.table.row.Follow;
import social.feed.table.row.Row;
import social.feed.table.row.TagTrend;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Dead letters are applied once, whatever the stream delivers before and after. */
class ITRedrive extends UncountedRecordScenario {
  @Test
  void unreadableRecord_isAppliedInEachLaneByItsOwnDeadLetter_whenReadable() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    var like = bob.likes(post);
    var good = StreamRecords.inserted(500, like);
    var bad = StreamRecords.inserted(500, like);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(bad));
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(bad));
    assertThat(harness.deadLetters)
        .extracting(DeadLetter::handler)
        .containsExactly(DeadLetter.DECODE, DeadLetter.COUNTS);
    harness.deadLetters.forEach(
        deadLetter -> assertThat(redrive(deadLetter)).isInstanceOf(Failed.class));
    for (int time = 1; time <= 2; time++) {
      harness.deadLetters.forEach(deadLetter -> redrive(read(deadLetter, good)));
      assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
      assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
    }
    harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(good));
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(good));
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
  }

  @Test
  void effect_redrivenTwiceAndReplayed_isAppliedOnce() {
    harness.pause();
    var post = ann.posts("hello");
    harness.unset(User.key(ann.id()), "posts_count");
    harness.resume();
    harness.drain();
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    var deadLetter = harness.deadLetters.getFirst();
    assertThat(redrive(deadLetter)).isInstanceOf(Failed.class);
    harness.set(User.key(ann.id()), "posts_count", ZERO);
    assertThat(redrive(deadLetter)).isEqualTo(new Applied(List.of("CountOnce")));
    redrive(deadLetter);
    harness.replay(Lane.EFFECTS);
    assertThat(ann.account().postsCount()).isEqualTo(1);
    assertThat(harness.world.feeds.stored(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(harness.world.posts.get(post.postId())).isPresent();
    assertThat(harness.deadLetters).hasSize(1);
  }

  @Test
  void unreadableRecord_replayedWhenReadable_isCountedByItsDeadLetterOnly() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    var like = bob.likes(post);
    var good = StreamRecords.inserted(500, like);
    var bad = StreamRecords.inserted(500, like);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(bad));
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(good));
    redrive(read(harness.deadLetters.getFirst(), good));
    redrive(read(harness.deadLetters.getFirst(), good));
    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
  }

  @Test
  void unreadablePost_replayedWhenReadable_isCountedByItsDeadLetterOnly() {
    harness.pause();
    var post = ann.posts("hello");
    var good = StreamRecords.inserted(500, post);
    var bad = StreamRecords.inserted(500, post);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(bad));
    harness.multiplexer.handle(Lane.EFFECTS, EntryContract.event(good));
    assertThat(ann.account().postsCount()).as("left to the dead letter").isZero();
    recountPosts(1);
    redrive(read(harness.deadLetters.getFirst(), good));
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void unreadableFollow_replayedWhenReadable_isCountedByItsDeadLetterOnly() {
    harness.pause();
    var edge = bob.follows(ann);
    assertCountedByItsDeadLetterOnly(edge, "follower_id", ann.id() + " gained in 2026-03");
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void unreadableUseOfATag_replayedWhenReadable_isCountedByItsDeadLetterOnly() {
    harness.pause();
    assertCountedByItsDeadLetterOnly(ann.posts("the #sea"), "text", "sea used at 2026-03-01T12");
  }

  /** One version cannot decode the row; the next version decodes it in a replay. */
  private void assertCountedByItsDeadLetterOnly(Row row, String unread, String count) {
    var good = StreamRecords.inserted(500, row);
    var bad = StreamRecords.inserted(500, row);
    bad.getDynamodb().getNewImage().remove(unread);
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(bad));
    harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(good));
    assertThat(Counts.held(harness.rows())).as("left to the dead letter").doesNotContainKey(count);
    assertThat(harness.deadLetters).hasSize(1);
    for (int time = 1; time <= 2; time++) {
      redrive(read(harness.deadLetters.getFirst(), good));
      harness.multiplexer.handle(Lane.COUNTS, EntryContract.window(good));
      assertThat(Counts.held(harness.rows())).containsEntry(count, 1L);
    }
  }

  @Test
  void post_thatARecountIncludes_isNotAddedAgain() {
    var deadLetter = uncountedPost();
    recountPosts(1);
    redrive(deadLetter);
    harness.replay(Lane.EFFECTS);
    redrive(deadLetter);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void post_thatWasRedriven_isIncludedInARecount() {
    var deadLetter = uncountedPost();
    redrive(deadLetter);
    harness.set(User.key(ann.id()), "posts_count", AttributeValue.fromN("7"));
    recountPosts(1);
    redrive(deadLetter);
    harness.replay(Lane.EFFECTS);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  /** The fan-out came before the follow, and the account counts no posts. */
  @Test
  void follow_whileAPostIsLeftOutOfTheCount_deliversIt() {
    uncountedPost();
    bob.follows(ann);
    harness.drain();
    assertThat(ann.account().postsCount()).isZero();
    assertThat(stored(bob)).hasSize(1);
  }

  @Test
  void follow_afterAReplay_deliversTheReplayedPosts() {
    harness.pause();
    var post = ann.posts("given up, and replayed");
    var record = StreamRecords.inserted(1, post);
    assertThat(harness.redriveOver(harness.ofMultiplexer).replay(record))
        .isInstanceOf(Applied.class);
    var edge = bob.follows(ann);
    harness.handlers.apply(List.of(new Backfill(edge)));
    assertThat(stored(bob)).hasSize(1);
    recountPosts(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void recountOfPosts_whileOneIsLeftOut_isRefused() {
    var account = ann.account();
    var recounts = new CounterRecounts(harness.table.table());
    var leftOut = recounts.leftOut(account.key());
    uncountedPost();
    assertThat(recounts.setPosts(account, 1, leftOut)).isFalse();
    redrive(harness.deadLetters.getFirst());
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void effect_namedByTheDeadLetter_isTheOnlyOneApplied() {
    harness.pause();
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(DeadLetter.of("Notify", "test", record)))
        .isEqualTo(new Applied(List.of("Notify")));
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
    assertThat(edge(bob, ann).feedSince()).as("no backfill").isNull();
  }

  @Test
  void effect_thatTheRecordDoesNotCause_isRefused() {
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(DeadLetter.of("FanOut", "test", record)))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("no longer causes any FanOut");
  }

  /** If it passed for applied, it would be deleted, and its count would be missing permanently. */
  @Test
  void count_ofAnItemThatTheRecordDoesNotCountIn_isRefused() {
    var post = ann.posts("hello #sea");
    var another = TagTrend.key(TrendingTags.HALF_LIFE.multipliedBy(2), "sea");
    var record = StreamRecords.inserted(1, post);
    assertThat(redrive(DeadLetter.ofCount("shardId-1", another, "test", record)))
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString()
        .contains("does not count there", "--trend-half-life-hours");
  }

  @Test
  void truncatedDeadLetter_usesThePresentRow() {
    harness.pause();
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(cut("Notify", record))).isInstanceOf(Applied.class);
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
  }

  @Test
  void truncatedDeadLetter_withoutItsRow_fails_withInstructions() {
    harness.pause();
    var edge = bob.follows(ann);
    bob.unfollows(ann);
    for (var record : List.of(StreamRecords.inserted(1, edge), StreamRecords.removed(2, edge))) {
      assertThat(redrive(cut("Notify", record)))
          .asInstanceOf(type(Failed.class))
          .extracting(Failed::reason)
          .asString()
          .contains("verify --fix");
    }
  }

  /** The present row does not say what changed, and a new one has a record of its own. */
  @Test
  void truncatedDeadLetter_ofAChangeOrARemoval_failsWithAPresentRowToo() {
    harness.pause();
    var edge = bob.follows(ann);
    for (var record :
        List.of(StreamRecords.modified(1, edge, edge), StreamRecords.removed(2, edge))) {
      assertThat(redrive(cut("Notify", record))).isInstanceOf(Failed.class);
    }
    assertThat(harness.world.notifications.unreadCount(ann.id())).isZero();
  }

  /** The dead letter of an uncounted post of ann; the row of ann is repaired. */
  private DeadLetter uncountedPost() {
    harness.pause();
    ann.posts("hello");
    harness.unset(User.key(ann.id()), "posts_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "posts_count", ZERO);
    assertThat(harness.deadLetters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    return harness.deadLetters.getFirst();
  }

  private List<FeedRef> stored(Person reader) {
    return harness.world.feeds.stored(reader.id(), PageRequest.first(9)).items();
  }

  private void recountPosts(long posts) {
    var recounts = new CounterRecounts(harness.table.table());
    var leftOut = recounts.leftOut(User.key(ann.id()));
    assertThat(recounts.setPosts(ann.account(), posts, leftOut)).isTrue();
  }

  /** The dead letter with a record that the code can decode. */
  private static DeadLetter read(DeadLetter deadLetter, DynamodbStreamRecord record) {
    return new DeadLetter(
        deadLetter.handler(), deadLetter.reason(), deadLetter.shardId(), record, false);
  }

  private static DeadLetter cut(String handler, DynamodbStreamRecord record) {
    var image = record.getDynamodb().getNewImage();
    var keys = image != null ? image : record.getDynamodb().getOldImage();
    keys.keySet().retainAll(List.of("PK", "SK", "entity"));
    return new DeadLetter(handler, "test", Optional.empty(), record, true);
  }

  private Follow edge(Person follower, Person followee) {
    var item = harness.table.table().get(Follow.key(follower.id(), followee.id())).orElseThrow();
    return (Follow) RowCodec.decode(item);
  }
}
