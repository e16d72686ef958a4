package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.table.cost.CostFormulas;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.SpecialFollower;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A part of an erasure removes posts until they cost its units, with what their removal causes
 * behind the stream, and the next part waits until the pace has paid for them.
 */
class ITErasurePace extends ErasureScenario {
  private static final int PER_SECOND = 1_000;
  private static final int LIKES = 400;

  /** Three of these posts cost more than the units of a part. */
  private static final double OF_A_POST = CostFormulas.removedPost(0, 0, LIKES);

  private static final Duration OF_A_PART = Duration.ofMillis(Math.round(3 * OF_A_POST));

  /** The clock goes on a millisecond each time that it is read. */
  private static final Duration TICKS = Duration.ofMillis(100);

  /**
   * A part of an erasure.
   *
   * @param removed the posts that it removed
   */
  private record Part(int removed, Instant at) {}

  private EffectHandlers paced;

  @BeforeEach
  void pause() {
    harness.drain();
    harness.pause();
    paced = paced(Long.MAX_VALUE);
  }

  private EffectHandlers paced(long pushedTo) {
    return new EffectHandlers(
        harness.table.table(),
        harness.table.clock(),
        EffectSettings.of(
            StreamHarness.NEWEST,
            BatchSizes.STANDARD,
            new ErasureSweeps.Settings(
                ErasureSweeps.MAX_PERIOD,
                Retention.ERASURE_REST,
                Double.POSITIVE_INFINITY,
                PER_SECOND,
                pushedTo)));
  }

  @Test
  void parts_removeWhatTheirUnitsAllow_andWaitForThePace() {
    likedPosts(12);
    erasures.begin(ann.id(), now());

    var parts = removePosts(paced);

    assertThat(parts).extracting(Part::removed).containsExactly(3, 3, 3, 3, 0);
    assertThat(2 * OF_A_POST).isLessThan(AccountReferences.UNITS);
    assertThat(ahead(parts)).isLessThan(1);
    assertThat(elapsed(parts))
        .as("no part waits for more")
        .isCloseTo(OF_A_PART.multipliedBy(4), TICKS);
  }

  /** The planted fault: each part follows at once. */
  @Test
  void erasureWithoutAPace_isFoundOut() {
    likedPosts(12);
    erasures.begin(ann.id(), now());

    var parts = removePosts(harness.handlers);

    assertThat(ahead(parts)).isGreaterThan(11 * OF_A_POST);
  }

  /** The wait for a part goes on through the steps. */
  @Test
  void nextStep_waitsForThePostsOfTheLastPart() {
    likedPosts(2);
    erasures.begin(ann.id(), now());
    part(paced);

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.FOLLOWING);
    assertIsSoonAfter(due(), now().minus(TICKS).plusMillis(Math.round(2 * OF_A_POST)));
    var waiting = erasure(ann);
    part(paced);
    assertThat(erasure(ann)).isEqualTo(waiting.again());
  }

  @Test
  void lateParts_makeUpForTenSeconds() {
    likedPosts(12);
    erasures.begin(ann.id(), now());
    part(paced);
    var first = due();
    assertIsSoonAfter(first, now().minus(TICKS).plus(OF_A_PART));

    advanceTo(first.plusSeconds(5));
    part(paced);
    var second = due();
    assertThat(second).isEqualTo(first.plus(OF_A_PART));

    advanceTo(second.plusSeconds(60));
    part(paced);
    assertIsSoonAfter(due(), now().minus(TICKS).minusSeconds(10).plus(OF_A_PART));
  }

  /** Counted when the account was deleted. A private post is in no feed of theirs. */
  @Test
  void postsToManyFollowers_arePartsOfTheirOwn() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 9_000);
    for (var visibility : List.of(Visibility.PUBLIC, Visibility.PRIVATE, Visibility.FOLLOWERS)) {
      ann.posts("one of three", visibility);
      harness.table.clock().advance(Duration.ofSeconds(1));
    }
    erasures.begin(ann.id(), now());

    var parts = removePosts(paced);

    assertThat(parts).extracting(Part::removed).containsExactly(1, 2, 0);
    assertThat(elapsed(parts)).isGreaterThan(Duration.ofSeconds(36));
  }

  /** The posts were pushed before the account had so many followers. */
  @Test
  void postsOfAnAuthorWhoGrew_countTheFollowersThatTheyWerePushedTo() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 10_000_000);
    IntStream.range(0, 5).forEach(_ -> ann.posts("one of five"));
    erasures.begin(ann.id(), now());

    var parts = removePosts(paced(1_000));

    assertThat(parts).extracting(Part::removed).containsExactly(3, 2);
    assertThat(elapsed(parts)).isLessThan(Duration.ofSeconds(30));
  }

  /** Their entries have expired. */
  @Test
  void oldPostsToManyFollowers_areOnePart() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 9_000);
    IntStream.range(0, 5).forEach(_ -> ann.posts("one of five"));
    harness.table.clock().advance(Duration.ofDays(92));
    erasures.begin(ann.id(), now());

    assertThat(removePosts(paced)).extracting(Part::removed).containsExactly(5);
  }

  @Test
  void notificationsOfSpecialFollowers_countAsWell() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 500);
    harness
        .table
        .table()
        .putAll(
            IntStream.range(0, 1_000)
                .mapToObj(i -> new SpecialFollower("fan" + i, ann.id(), now()))
                .toList());
    IntStream.range(0, 3).forEach(_ -> ann.posts("one of three"));
    erasures.begin(ann.id(), now());

    assertThat(removePosts(paced)).extracting(Part::removed).containsExactly(1, 1, 1, 0);
  }

  private void likedPosts(int number) {
    for (int i = 0; i < number; i++) {
      set(ann.posts("liked").key(), Post.LIKES_COUNT, LIKES);
    }
  }

  private void set(Key key, String attribute, long number) {
    harness.set(key, attribute, AttributeValue.fromN(Long.toString(number)));
  }

  /** Runs the parts that remove posts, each as soon as it is due. */
  private List<Part> removePosts(EffectHandlers handlers) {
    var parts = new ArrayList<Part>();
    for (var at = erasure(ann); at.step() == ErasureStep.POSTS; at = erasure(ann)) {
      var due = at.dueAt();
      if (due != null && due.isAfter(now())) {
        advanceTo(due);
      }
      int before = postsLeft();
      part(handlers);
      parts.add(new Part(before - postsLeft(), now()));
    }
    return parts;
  }

  private void part(EffectHandlers handlers) {
    var at = erasure(ann);
    handlers.apply(List.of(new Erase(at.hash(), at.revision())));
  }

  private int postsLeft() {
    return (int)
        harness.rows().stream()
            .filter(row -> row instanceof Post post && post.authorId().equals(ann.id()))
            .count();
  }

  private Instant due() {
    return Objects.requireNonNull(erasure(ann).dueAt());
  }

  private void advanceTo(Instant time) {
    harness.table.clock().advance(Duration.between(now(), time));
  }

  private static void assertIsSoonAfter(Instant time, Instant earliest) {
    assertThat(time).isBetween(earliest, earliest.plus(TICKS));
  }

  private static Duration elapsed(List<Part> parts) {
    return Duration.between(parts.getFirst().at(), parts.getLast().at());
  }

  /** Returns how many units the parts before one are ahead of the pace, when it begins, at most. */
  private static double ahead(List<Part> parts) {
    double removed = 0;
    double ahead = 0;
    for (var part : parts) {
      double paid =
          PER_SECOND * Duration.between(parts.getFirst().at(), part.at()).toMillis() / 1e3;
      ahead = Math.max(ahead, removed - paid);
      removed += part.removed() * OF_A_POST;
    }
    return ahead;
  }
}
