package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Post;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TagUses;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A dead letter does not add a count that a recount includes, whichever comes first. */
class ITRecountedDeadLetters extends UncountedRecordScenario {
  @Test
  void count_ofAMonthThatARecountIncludes_isNotAddedAgain() {
    var deadLetter = uncountedMonth();
    assertThat(recounts().setRanked(month(), TopAuthor.GAINED, 1)).isTrue();
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void recountOfAMonthWhileItsDeadLetterIsApplied_isRefused() {
    var deadLetter = uncountedMonth();
    var read = month();
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertThat(recounts().setRanked(read, TopAuthor.GAINED, 1)).isFalse();
    assertCounted();
  }

  @Test
  void recountOfAMonthDuringARedrive_isNotAddedTo() {
    var deadLetter = uncountedMonth();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> recounts().setRanked(month(), TopAuthor.GAINED, 1));
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.between.happened()).isTrue();
    assertCounted();
  }

  @Test
  void count_ofATagThatARecountIncludes_isNotAddedAgain() {
    assertRecountedOnce(uncountedUse());
  }

  /** The dead letter names the row of its shard, and a recount sets the row of the tag. */
  @Test
  void use_thatItsShardCouldNotCount_isNotAddedAgainToARecount() {
    assertRecountedOnce(unbroughtUse());
  }

  private void assertRecountedOnce(DeadLetter deadLetter) {
    assertThat(recounts().setRanked(sea(), TagTrend.hour(SampleRowLists.AT), 1)).isTrue();
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void use_thatItsShardCouldNotCount_isAddedByItsDeadLetterOnce() {
    var deadLetter = unbroughtUse();
    harness.replay(Lane.COUNTS);
    assertThat(sea().uses()).as("left to the dead letter").containsValue(1L);
    for (int time = 1; time <= 2; time++) {
      redrive(deadLetter);
      harness.replay(Lane.COUNTS);
      assertCounted();
    }
  }

  @Test
  void recountOfATagWhileADeadLetterOfItsShardIsApplied_isRefused() {
    var deadLetter = unbroughtUse();
    var read = sea();
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertThat(recounts().setRanked(read, TagTrend.hour(SampleRowLists.AT), 1)).isFalse();
    assertCounted();
  }

  /** The recount cannot include a use that is left out after the row was read. */
  @Test
  void recountOfATagWhileAUseIsLeftOut_isRefused() {
    ann.posts("the #sea");
    harness.drain();
    var read = sea();
    unbrought(() -> ann.posts("more #sea"));
    assertThat(recounts().setRanked(read, TagTrend.hour(SampleRowLists.AT), 0)).isFalse();
    redrive(harness.deadLetters.getFirst());
    assertCounted();
  }

  @Test
  void recountOfOneHourOfATag_leavesTheDeadLettersOfOthers() {
    var deadLetter = uncountedUse();
    var other = TagTrend.hour(SampleRowLists.AT.minus(Duration.ofHours(3)));
    assertThat(recounts().setRanked(sea(), other, 0)).isTrue();
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void count_thatARecountIncludes_isNotAddedAgain() {
    var deadLetter = uncountedFollow();
    recount(1);
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void count_thatWasRedriven_isIncludedInARecount() {
    var deadLetter = uncountedFollow();
    redrive(deadLetter);
    harness.set(User.key(ann.id()), "followers_count", AttributeValue.fromN("7"));
    recount(1);
    redrive(deadLetter);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void counts_leftOutBeforeAndAfterARecount_areEachCountedOnce() {
    var before = uncountedFollow();
    recount(1);
    harness.pause();
    cleo.follows(ann);
    harness.unset(User.key(ann.id()), "followers_count");
    harness.resume();
    harness.drain();
    harness.set(User.key(ann.id()), "followers_count", AttributeValue.fromN("1"));
    assertThat(harness.deadLetters).hasSize(2);
    assertThat(redrive(harness.deadLetters.getLast())).isInstanceOf(Applied.class);
    assertThat(redrive(before)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertThat(ann.account().followersCount()).isEqualTo(2);
    assertCounted();
  }

  @Test
  void recountWhileALetterIsApplied_isRefused() {
    var deadLetter = uncountedFollow();
    var read = ann.account();
    redrive(deadLetter);
    assertThat(recounts().set(read, User.FOLLOWERS_COUNT, 1)).isFalse();
    assertCounted();
  }

  @Test
  void recountDuringARedrive_isNotAddedTo() {
    var deadLetter = uncountedFollow();
    harness.between.before(TransactWriteItemsRequest.class::isInstance, () -> recount(1));
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.between.happened()).isTrue();
    assertCounted();
  }

  /** A recount has what the stream has brought, so a follow that it brings later is not in it. */
  @Test
  void recountWhileACountIsLeftOut_leavesItToItsDeadLetter() {
    harness.pause();
    var event = EntryContract.window(StreamRecords.inserted(1, bob.follows(ann)));
    harness.unset(User.key(ann.id()), "followers_count");
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> {
          harness.set(User.key(ann.id()), "followers_count", ZERO);
          recount(0);
        });
    assertThat(harness.multiplexer.handle(Lane.COUNTS, event).getBatchItemFailures()).isEmpty();
    assertThat(harness.between.happened()).isTrue();

    assertThat(redrive(harness.deadLetters.getFirst())).isInstanceOf(Applied.class);

    assertThat(ann.account().followersCount()).isEqualTo(1);
  }

  /** Nothing else compares the number of likes. */
  @Test
  void recountOfLikesDuringARedrive_isNotAddedTo() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    bob.likes(post);
    harness.unset(post.key(), Post.LIKES_COUNT);
    harness.resume();
    harness.drain();
    harness.set(post.key(), Post.LIKES_COUNT, ZERO);
    var deadLetters = harness.deadLetters.stream().filter(DeadLetter::isOfCounts).toList();
    assertThat(deadLetters).hasSize(1);
    var read = harness.world.posts.get(post.postId()).orElseThrow();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> assertThat(recounts().set(read, Post.LIKES_COUNT, 1)).isTrue());

    assertThat(redrive(deadLetters.getFirst())).isInstanceOf(AppliedBefore.class);

    assertThat(harness.between.happened()).isTrue();
    assertCounted();
  }

  @Test
  void recountOfOneCounter_leavesTheDeadLettersOfTheOther() {
    var post = ann.posts("hello");
    harness.drain();
    harness.pause();
    bob.likes(post);
    bob.comments(post, "So it is");
    harness.unset(post.key(), Post.LIKES_COUNT);
    harness.unset(post.key(), Post.COMMENTS_COUNT);
    harness.resume();
    harness.drain();
    harness.set(post.key(), Post.LIKES_COUNT, ZERO);
    harness.set(post.key(), Post.COMMENTS_COUNT, ZERO);
    var deadLetters = harness.deadLetters.stream().filter(DeadLetter::isOfCounts).toList();
    assertThat(deadLetters).hasSize(2);
    var read = harness.world.posts.get(post.postId()).orElseThrow();
    assertThat(recounts().set(read, Post.LIKES_COUNT, 1)).isTrue();
    assertThat(deadLetters.stream().map(this::redrive).toList())
        .containsExactlyInAnyOrder(
            new AppliedBefore(), new Applied(List.of("+1 comments_count of " + post.key())));
    assertCounted();
  }

  /** Writes a number of followers of ann, as a repair does. */
  private void recount(long followers) {
    assertThat(recounts().set(ann.account(), User.FOLLOWERS_COUNT, followers)).isTrue();
  }

  private CounterRecounts recounts() {
    return new CounterRecounts(harness.table.table());
  }

  /** The dead letter of a second use of a tag that the tag's row rejected; the row is repaired. */
  private DeadLetter uncountedUse() {
    ann.posts("the #sea");
    harness.drain();
    return uncounted(sea().key(), sea().key(), () -> ann.posts("more #sea"));
  }

  /** The same, rejected by the row of the shard that brought it. */
  private DeadLetter unbroughtUse() {
    ann.posts("the #sea");
    harness.drain();
    return unbrought(() -> ann.posts("more #sea"));
  }

  private DeadLetter unbrought(Runnable cause) {
    harness.pause();
    cause.run();
    refuseUses();
    harness.resume();
    harness.drain();
    harness.between.before(_ -> false, () -> {});
    assertThat(harness.deadLetters)
        .extracting(DeadLetter::handler)
        .containsExactly(
            "counts at " + TagUses.key(TrendingTags.HALF_LIFE, "sea", SampleRowLists.AT));
    return harness.deadLetters.getFirst();
  }

  private void refuseUses() {
    harness.between.before(
        request ->
            request instanceof PutItemRequest put && RowCodec.decode(put.item()) instanceof TagUses,
        () -> {
          refuseUses();
          var code = AwsErrorDetails.builder().errorCode("ValidationException").build();
          throw DynamoDbException.builder().awsErrorDetails(code).build();
        });
  }

  private TagTrend sea() {
    var key = TagTrend.key(TrendingTags.HALF_LIFE, "sea");
    return (TagTrend) harness.table.table().getAll(List.of(key), true).getFirst();
  }
}
