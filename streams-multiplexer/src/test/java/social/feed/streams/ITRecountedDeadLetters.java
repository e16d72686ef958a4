package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.streams.RedriveOutcome.Applied;
import social.feed.streams.RedriveOutcome.AppliedBefore;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.plan.Lane;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Post;
import social.feed.table.row.TagTrend;
import social.feed.table.row.TopAuthor;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** A dead letter does not add a count that a recount includes, whichever comes first. */
class ITRecountedDeadLetters extends UncountedRecordScenario {
  @Test
  void count_ofAMonthThatARecountIncludes_isNotAddedAgain() {
    var deadLetter = uncountedMonth();
    assertThat(recounts().setRanked(List.of(month()), TopAuthor.GAINED, 1)).isTrue();
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertCounted();
  }

  @Test
  void recountOfAMonthWhileItsDeadLetterIsApplied_isRefused() {
    var deadLetter = uncountedMonth();
    var read = month();
    assertThat(redrive(deadLetter)).isInstanceOf(Applied.class);
    assertThat(recounts().setRanked(List.of(read), TopAuthor.GAINED, 1)).isFalse();
    assertCounted();
  }

  @Test
  void recountOfAMonthDuringARedrive_isNotAddedTo() {
    var deadLetter = uncountedMonth();
    harness.between.before(
        TransactWriteItemsRequest.class::isInstance,
        () -> recounts().setRanked(List.of(month()), TopAuthor.GAINED, 1));
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertThat(harness.between.happened()).isTrue();
    assertCounted();
  }

  /**
   * A recount may write missing counts into any row of a tag; the dead letter names another row.
   */
  @Test
  void count_ofATagThatARecountIncludes_isNotAddedAgain() {
    var deadLetter = uncountedUse();
    assertThat(recounts().setRanked(rowsOfSea(), TagTrend.hour(SampleRowLists.AT), 1)).isTrue();
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    harness.replay(Lane.COUNTS);
    assertThat(redrive(deadLetter)).isInstanceOf(AppliedBefore.class);
    assertCounted();
  }

  @Test
  void recountOfOneHourOfATag_leavesTheDeadLettersOfOthers() {
    var deadLetter = uncountedUse();
    var other = TagTrend.hour(SampleRowLists.AT.minus(Duration.ofHours(3)));
    assertThat(recounts().setRanked(rowsOfSea(), other, 0)).isTrue();
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

  /** The dead letter of a second use of a tag that its row rejected; the row is repaired. */
  private DeadLetter uncountedUse() {
    ann.posts("the #sea");
    harness.drain();
    return uncounted(
        rowsOfSea().getLast().key(),
        TagTrend.key(TrendingTags.HALF_LIFE, "sea"),
        () -> ann.posts("more #sea"));
  }

  /** All rows of the tag, the one in which the shard counts last. */
  private List<TagTrend> rowsOfSea() {
    return IntStream.range(0, TagTrend.SPREAD)
        .mapToObj(spread -> TagTrend.empty(TrendingTags.HALF_LIFE.toHours(), "sea", spread))
        .map(
            empty ->
                harness.table.table().getAll(List.of(empty.key()), true).stream()
                    .map(TagTrend.class::cast)
                    .findFirst()
                    .orElse(empty))
        .sorted(Comparator.comparing(TagTrend::revision))
        .toList();
  }
}
