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
import social.feed.streams.plan.Effect;
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

/** Dead letters are applied once, whatever the stream does before and after. */
class ITRedrive extends UncountedRecordScenario {
  @Test
  void unreadable_isAppliedInEachLaneByItsOwnLetter_whenTheCodeCanReadIt() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    var like = bob.likes(post);
    var good = StreamRecords.inserted(500, like);
    var bad = StreamRecords.inserted(500, like);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(EntryContract.event(bad));
    harness.multiplexer.handle(EntryContract.window(bad));
    assertThat(harness.letters)
        .extracting(DeadLetter::handler)
        .containsExactly(DeadLetter.DECODE, DeadLetter.COUNTS);
    harness.letters.forEach(letter -> assertThat(redrive(letter)).isInstanceOf(Failed.class));
    for (int time = 1; time <= 2; time++) {
      harness.letters.forEach(letter -> redrive(read(letter, good)));
      assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
      assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
    }
    harness.multiplexer.handle(EntryContract.event(good));
    harness.multiplexer.handle(EntryContract.window(good));
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
    assertThat(harness.letters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    var letter = harness.letters.getFirst();
    assertThat(redrive(letter)).isInstanceOf(Failed.class);
    harness.set(User.key(ann.id()), "posts_count", ZERO);
    assertThat(redrive(letter)).isEqualTo(new Applied(List.of("CountOnce")));
    redrive(letter);
    harness.replay(Lane.EFFECTS);
    assertThat(ann.account().postsCount()).isEqualTo(1);
    assertThat(harness.world.feeds.stored(ann.id(), PageRequest.first(5)).items()).hasSize(1);
    assertThat(harness.world.posts.get(post.postId())).isPresent();
    assertThat(harness.letters).hasSize(1);
  }

  @Test
  void unreadable_thatComesAgainWhenTheCodeCanReadIt_isCountedByItsLetterAlone() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    var like = bob.likes(post);
    var good = StreamRecords.inserted(500, like);
    var bad = StreamRecords.inserted(500, like);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(EntryContract.window(bad));
    harness.multiplexer.handle(EntryContract.window(good));
    redrive(read(harness.letters.getFirst(), good));
    redrive(read(harness.letters.getFirst(), good));
    assertThat(harness.world.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(1);
  }

  @Test
  void unreadablePost_thatComesAgainWhenTheCodeCanReadIt_isCountedByItsLetterAlone() {
    harness.pause();
    var post = ann.posts("hello");
    var good = StreamRecords.inserted(500, post);
    var bad = StreamRecords.inserted(500, post);
    bad.getDynamodb().getNewImage().remove("created_at");
    harness.multiplexer.handle(EntryContract.event(bad));
    harness.multiplexer.handle(EntryContract.event(good));
    assertThat(ann.account().postsCount()).as("the letter owns it").isZero();
    recountPosts(1);
    redrive(read(harness.letters.getFirst(), good));
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void unreadableFollow_thatComesAgainWhenTheCodeCanReadIt_isCountedByItsLetterAlone() {
    harness.pause();
    var edge = bob.follows(ann);
    assertCountedByItsLetterAlone(edge, "follower_id", ann.id() + " gained in 2026-03");
    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  @Test
  void unreadableUseOfATag_thatComesAgainWhenTheCodeCanReadIt_isCountedByItsLetterAlone() {
    harness.pause();
    assertCountedByItsLetterAlone(ann.posts("the #sea"), "text", "sea used at 2026-03-01T12");
  }

  /** First one version meets a row that it cannot read, then the next meets it again. */
  private void assertCountedByItsLetterAlone(Row row, String unread, String count) {
    var good = StreamRecords.inserted(500, row);
    var bad = StreamRecords.inserted(500, row);
    bad.getDynamodb().getNewImage().remove(unread);
    harness.multiplexer.handle(EntryContract.window(bad));
    harness.multiplexer.handle(EntryContract.window(good));
    assertThat(Counts.held(harness.rows())).as("the letter owns it").doesNotContainKey(count);
    assertThat(harness.letters).hasSize(1);
    for (int time = 1; time <= 2; time++) {
      redrive(read(harness.letters.getFirst(), good));
      harness.multiplexer.handle(EntryContract.window(good));
      assertThat(Counts.held(harness.rows())).containsEntry(count, 1L);
    }
  }

  @Test
  void post_thatARecountHas_isNotAddedToIt() {
    var letter = uncountedPost();
    recountPosts(1);
    redrive(letter);
    harness.replay(Lane.EFFECTS);
    redrive(letter);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void post_thatWasRedriven_isOneOfThoseThatARecountFinds() {
    var letter = uncountedPost();
    redrive(letter);
    harness.set(User.key(ann.id()), "posts_count", AttributeValue.fromN("7"));
    recountPosts(1);
    redrive(letter);
    harness.replay(Lane.EFFECTS);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  /** Its fan-out was before the follow, and the account counts none. */
  @Test
  void follow_whileAPostIsLeftOutOfTheCount_bringsIt() {
    uncountedPost();
    bob.follows(ann);
    harness.drain();
    assertThat(ann.account().postsCount()).isZero();
    assertThat(stored(bob)).hasSize(1);
  }

  @Test
  void follow_afterAReplay_bringsWhatWasReplayed() {
    harness.pause();
    var post = ann.posts("given up, and replayed");
    var record = StreamRecords.inserted(1, post);
    assertThat(harness.redriveOver(harness.ofMultiplexer).replay(record))
        .isInstanceOf(Applied.class);
    var edge = bob.follows(ann);
    harness.handlers.apply(List.of(new Effect.Backfill(edge)));
    assertThat(stored(bob)).hasSize(1);
    recountPosts(1);
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void recountOfPosts_ofWhichOneIsLeftOutMeanwhile_isRefused() {
    var account = ann.account();
    var recounts = new CounterRecounts(harness.table.table());
    var leftOut = recounts.leftOut(account.key());
    uncountedPost();
    assertThat(recounts.setPosts(account, 1, leftOut)).isFalse();
    redrive(harness.letters.getFirst());
    assertThat(ann.account().postsCount()).isEqualTo(1);
  }

  @Test
  void effect_namedByTheLetter_isTheOnlyOne() {
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

  /** Taken for done, it would be deleted, and what it is to add would be missing for ever. */
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
  void cutLetter_goesByTheRowAsItIsNow() {
    harness.pause();
    var record = StreamRecords.inserted(1, bob.follows(ann));
    assertThat(redrive(cut("Notify", record))).isInstanceOf(Applied.class);
    assertThat(harness.world.notifications.unreadCount(ann.id())).isEqualTo(1);
  }

  @Test
  void cutLetter_whoseRowIsGone_saysWhatToDo() {
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

  /** A post of ann that was not counted, and its letter; ann is whole again. */
  private DeadLetter uncountedPost() {
    harness.pause();
    ann.posts("hello");
    harness.unset(User.key(ann.id()), "posts_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "posts_count", ZERO);
    assertThat(harness.letters).extracting(DeadLetter::handler).containsExactly("CountOnce");
    return harness.letters.getFirst();
  }

  private List<FeedRef> stored(Person reader) {
    return harness.world.feeds.stored(reader.id(), PageRequest.first(9)).items();
  }

  private void recountPosts(long posts) {
    var recounts = new CounterRecounts(harness.table.table());
    var leftOut = recounts.leftOut(User.key(ann.id()));
    assertThat(recounts.setPosts(ann.account(), posts, leftOut)).isTrue();
  }

  /** As if the code could read by now what it could not. */
  private static DeadLetter read(DeadLetter letter, DynamodbStreamRecord record) {
    return new DeadLetter(letter.handler(), letter.reason(), letter.shardId(), record, false);
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
