package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.table.cost.CostFormulas;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.row.WaitingErasure;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * A part of an erasure removes posts until they cost its units, with what their removal causes
 * behind the stream, and runs when the pace of all erasures together has paid for it.
 */
@LongRunning
class ITErasurePace extends PacedErasureScenario {

  /** Three of these posts cost more than the units of a part. */
  private static final double OF_A_POST = CostFormulas.removedPost(0, 0, LIKES);

  /** How long the largest grant takes. */
  private static final Duration ONE_GRANT = Duration.ofSeconds(10);

  private static final long OF_A_PART = ErasureQueue.ofPart(3 * OF_A_POST);

  /** The clock goes on a millisecond each time that it is read. */
  private static final Duration TICKS = Duration.ofMillis(200);

  /** What the parts may be ahead of the pace: late grants, and the first of each erasure. */
  private static final double AHEAD =
      PER_SECOND * ErasureQueue.MADE_UP.toSeconds() + 3 * ErasureQueue.LEAST;

  @Test
  void parts_removeWhatTheirUnitsAllow_andWaitForThePace() {
    likedPosts(ann, 12);
    erasures.begin(ann.id(), now());

    var parts = erase(paced, ann);

    assertThat(removed(parts)).containsExactly(3, 3, 3, 3);
    assertThat(2 * OF_A_POST).isLessThan(AccountReferences.UNITS);
    assertThat(ahead(parts)).isLessThan(AHEAD);
    assertThat(elapsed(parts))
        .as("no part waits for more")
        .isLessThan(Duration.ofMillis(4 * OF_A_PART + 2 * ErasureQueue.LEAST).plusSeconds(1));
  }

  /** The planted fault: each part follows at once. */
  @Test
  void erasureWithoutAPace_isFoundOut() {
    likedPosts(ann, 12);
    erasures.begin(ann.id(), now());

    assertThat(ahead(erase(harness.handlers, ann))).isGreaterThan(2 * AHEAD);
  }

  @Test
  void erasuresAtOnce_shareThePace() {
    var all = List.of(ann, bob, cid);
    all.forEach(person -> likedPosts(person, 6));
    all.forEach(person -> erasures.begin(person.id(), now()));

    var parts = erase(paced, ann, bob, cid);

    var large = parts.stream().filter(part -> part.removed() > 1).toList();
    assertThat(removed(large)).containsExactly(3, 3, 3, 3, 3, 3);
    assertThat(large.stream().map(Part::of))
        .as("each in its turn")
        .startsWith(parts.stream().map(Part::of).distinct().toArray(String[]::new));
    assertThat(ahead(parts)).isLessThan(AHEAD);
  }

  @Test
  void smallErasure_comesBeforeLargeOnes() {
    likedPosts(bob, 12);
    likedPosts(cid, 12);
    ann.posts("not liked");
    List.of(bob, cid, ann).forEach(person -> erasures.begin(person.id(), now()));

    var parts = erase(paced, bob, cid, ann);

    int lastOfAnn = parts.stream().map(Part::of).toList().lastIndexOf(ann.id());
    assertThat(parts.subList(0, lastOfAnn)).allMatch(part -> part.removed() <= 1);
    assertThat(Duration.between(parts.getFirst().at(), parts.get(lastOfAnn).at()))
        .isLessThan(Duration.ofMillis(3 * ErasureQueue.LEAST).plus(TICKS));
  }

  @Test
  void clockThatStoodStill_hasPaidForNothing() {
    erasures.begin(ann.id(), now());
    erase(paced, ann);
    settle(paced);
    assertThat(queue.current().isRunning()).isFalse();
    harness.table.clock().advance(Duration.ofHours(1));
    likedPosts(bob, 12);
    erasures.begin(bob.id(), now());

    assertThat(ahead(erase(paced, bob))).isLessThan(AHEAD);
  }

  @Test
  void lateClock_makesUpForTwoSeconds() {
    erasures.begin(ann.id(), now());
    assertThat(queue.admits(erasure(ann), 5_000, now())).isFalse();
    harness.table.clock().advance(Duration.ofMinutes(1));
    var before = now();

    order(paced, queue.current());

    assertThat(erasure(ann).unitsLeft()).isEqualTo(5_000);
    var expected = before.minus(ErasureQueue.MADE_UP).plusSeconds(5);
    assertThat(queue.current().dueAt()).isBetween(expected, expected.plus(TICKS));
  }

  /** A process that has noted the time of a grant, and was cut off before it. */
  @Test
  void grantThatWasCutOff_isMadeOnce_andWastesItsTime() {
    erasures.begin(ann.id(), now());
    queue.admits(erasure(ann), 5_000, now());
    var cutOff = queue.current();
    var due = now().plusSeconds(5);
    harness.table.table().putAll(List.of(cutOff.granted(due)));

    order(paced, cutOff);
    assertThat(erasure(ann).unitsLeft()).as("an order that came again").isZero();
    advanceTo(due);
    var next = queue.current();
    order(paced, next);
    order(paced, next);

    assertThat(erasure(ann).unitsLeft()).isEqualTo(5_000);
    assertThat(queue.current().dueAt()).isEqualTo(due.plusSeconds(5));
    assertThat(waiting()).isEmpty();
  }

  @Test
  void repeatedOrders_waitAndRunOnce() {
    likedPosts(ann, 1);
    erasures.begin(ann.id(), now());
    var begun = erasure(ann);
    order(paced, begun);
    order(paced, begun);
    assertThat(waiting()).containsExactly(WaitingErasure.of(begun, ErasureQueue.LEAST));

    order(paced, queue.current());
    var granted = erasure(ann);
    order(paced, begun);
    assertThat(waiting()).isEmpty();
    order(paced, granted);
    order(paced, granted);
    assertThat(waiting()).hasSize(1);
    settle(paced);
    order(paced, granted);

    var last = erasure(ann);
    assertThat(last).isEqualTo(granted.granted(waitedFor(granted)).at(last.lastOrder()));
    assertThat(postsLeft(ann)).isEqualTo(1);
    order(paced, erasure(ann));
    assertThat(postsLeft(ann)).isZero();
  }

  private static long waitedFor(Erasure granted) {
    return ErasureQueue.ofPart(OF_A_POST) - granted.unitsLeft();
  }

  /** A slow process may write it after the grant. */
  @Test
  void rowOfAnEarlierVersion_isRemoved_andNotPaidFor() {
    erasures.begin(ann.id(), now());
    var begun = erasure(ann);
    order(paced, begun);
    order(paced, queue.current());
    harness.table.table().putAll(List.of(WaitingErasure.of(begun, 9_000)));
    var granted = erasure(ann);
    advanceTo(queue.current().dueAt());
    var before = queue.current();

    order(paced, before);

    assertThat(erasure(ann)).isEqualTo(granted);
    assertThat(waiting()).isEmpty();
    assertThat(queue.current().dueAt()).isEqualTo(before.dueAt());
  }

  /** The erasure began to wait while the clock found none and stopped. */
  @Test
  void clockThatStops_looksOnceMore() {
    erasures.begin(ann.id(), now());
    harness.table.table().putAll(List.of(ErasurePace.NONE.started(now()).stopped()));
    harness.table.table().putAll(List.of(WaitingErasure.of(erasure(ann), 300)));

    order(paced, queue.current());
    order(paced, queue.current());

    assertThat(erasure(ann).unitsLeft()).isEqualTo(300);
  }

  /** The clock has looked for rows once more, and stands still. */
  @Test
  void clockThatHasStoppedBeforeTheRowIsWritten_isStartedAgain() {
    erasures.begin(ann.id(), now());
    var table = harness.table.table();
    var running = ErasurePace.NONE.started(now());
    table.putAll(List.of(running));
    var wired =
        new Table(
            WiredClient.of(
                table.client(), new BeforeAPut(() -> table.putAll(List.of(running.stopped())))),
            table.name(),
            table.retry());

    new ErasureQueue(wired, PER_SECOND).admits(erasure(ann), 5_000, now());

    assertThat(waiting()).hasSize(1);
    assertThat(queue.standsStill(now())).isFalse();
  }

  /** Runs another call before the first put. */
  private static final class BeforeAPut implements Wire {
    private final Runnable other;
    private boolean isDone;

    BeforeAPut(Runnable other) {
      this.other = other;
    }

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
      if (request instanceof PutItemRequest && !isDone) {
        isDone = true;
        other.run();
      }
      return table.apply(request);
    }
  }

  @Test
  void clockWhoseOrderIsLost_isStartedByTheNextErasureThatWaits() {
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    var lost = queue.current();
    harness.table.clock().advance(Duration.ofMinutes(9));
    erasures.begin(bob.id(), now());
    order(paced, erasure(bob));
    assertThat(queue.current()).isEqualTo(lost);
    harness.table.clock().advance(Duration.ofMinutes(2));
    erasures.begin(cid.id(), now());
    order(paced, erasure(cid));

    assertThat(queue.current().revision()).isEqualTo(lost.revision());
    assertThat(queue.current().dueAt()).isAfter(lost.dueAt());
    assertThat(removed(erase(paced, ann, bob, cid))).as("bob's post").containsExactly(1);
  }

  /** Otherwise a lag of hours would hold all erasures up for as long as further ones begin. */
  @Test
  void orderThatIsLateAndNotLost_isCarriedOutAfterARestart() {
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    var late = queue.current();
    harness.table.clock().advance(Duration.ofMinutes(11));
    erasures.begin(bob.id(), now());
    order(paced, erasure(bob));

    order(paced, late);

    assertThat(erasure(ann).unitsLeft() + erasure(bob).unitsLeft()).isPositive();
  }

  @Test
  void attemptThatIsLate_leavesTheRowOfALaterVersion() {
    erasures.begin(ann.id(), now());
    var before = erasure(ann);
    var row = WaitingErasure.of(before, ErasureQueue.LEAST);
    var later = new WaitingErasure(row.total(), row.hash(), row.units(), before.revision() + 1);
    harness.table.table().putAll(List.of(later));

    order(paced, before);

    assertThat(waiting()).containsExactly(later);
  }

  @Test
  void aPaceThatIsTakenAway_letsAllGoOn() {
    likedPosts(ann, 6);
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));

    assertThat(removed(erase(harness.handlers, ann))).containsExactly(3, 3);
  }

  /** The cost of the pace, whatever the number of erasures that wait. */
  @Test
  void wait_grantAndEarlyOrder_costAFewUnits() {
    for (var person : List.of(ann, bob)) {
      erasures.begin(person.id(), now());
    }
    order(paced, erasure(ann));
    try (var bill = harness.table.bill()) {
      var begun = erasure(bob);
      var started = queue.current();
      bill.take();
      order(paced, begun);
      assertThat(bill.take().units())
          .as("reads the erasure and the clock, writes the row that waits")
          .isEqualTo(new ConsumedUnits(2, 1));
      order(paced, started);
      assertThat(bill.take().units())
          .as("reads the clock, the rows that wait and an erasure, writes one of each")
          .isEqualTo(new ConsumedUnits(3, 3));
      var early = queue.current();
      bill.take();
      order(paced, early);
      assertThat(bill.take().units())
          .as("reads and writes the clock")
          .isEqualTo(new ConsumedUnits(1, 1));
    }
  }

  /** The order is late by more than the small grant takes, so it makes the large one as well. */
  @Test
  void lateOrder_holdsUpASmallErasureForOneGrant() {
    erasures.begin(ann.id(), now());
    erasures.begin(bob.id(), now());
    order(paced, erasure(ann));
    queue.admits(erasure(bob), 1_000_000, now());
    harness.table.clock().advance(Duration.ofSeconds(1));
    var before = now();

    order(paced, queue.current());

    assertThat(erasure(ann).unitsGranted()).isEqualTo(ErasureQueue.LEAST);
    assertThat(erasure(bob).unitsGranted()).isPositive();
    assertThat(queue.current().dueAt()).isBefore(before.plus(ONE_GRANT));
  }

  /**
   * Its units are saved, and an erasure that begins meanwhile waits for one grant of them before
   * each of its own.
   */
  @Test
  void postOfManyLikes_holdsUpOthersForOneGrantEach() {
    set(ann.posts("viral").key(), Post.LIKES_COUNT, 100_000);
    likedPosts(bob, 3);
    erasures.begin(ann.id(), now());
    for (int i = 0; erasure(ann).unitsGranted() <= ErasureQueue.LEAST && i < 10; i++) {
      order(paced, erasure(ann));
      advanceTo(queue.current().dueAt());
      order(paced, queue.current());
    }
    var begun = now();
    erasures.begin(bob.id(), begun);

    var parts = erase(paced, ann, bob);

    long units = ErasureQueue.ofPart(CostFormulas.removedPost(0, 0, 100_000));
    assertThat(parts).extracting(Part::units).contains(units);
    assertThat(units).isGreaterThan(10 * PER_SECOND * ONE_GRANT.toSeconds());
    var ofBob = parts.stream().filter(part -> part.of().equals(bob.id())).toList();
    // Each version comes from a part or a grant. The last part is not in the list.
    long grants = erasure(bob).revision() - ofBob.size() - 1;
    var own = Duration.ofSeconds(ofBob.stream().mapToLong(Part::units).sum() / PER_SECOND);
    assertThat(grants).isLessThan(10);
    assertThat(Duration.between(begun, ofBob.getLast().at()))
        .isLessThan(ONE_GRANT.multipliedBy(grants).plus(own).plus(ErasureQueue.MADE_UP));
  }

  /** Counted when the account was deleted. A post that was never shown is in no feed of theirs. */
  @Test
  void postsToManyFollowers_arePartsOfTheirOwn() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 9_000);
    for (var visibility : List.of(Visibility.PUBLIC, Visibility.PRIVATE, Visibility.FOLLOWERS)) {
      ann.posts("one of three", visibility);
      harness.table.clock().advance(Duration.ofSeconds(1));
    }
    var begun = now();
    erasures.begin(ann.id(), begun);

    var parts = erase(paced, ann);

    assertThat(removed(parts)).containsExactly(1, 2);
    assertThat(Duration.between(begun, parts.getLast().at())).isGreaterThan(Duration.ofSeconds(36));
  }

  /** The posts were pushed before the account had so many followers. */
  @Test
  void postsOfAnAuthorWhoGrew_countTheFollowersThatTheyWerePushedTo() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 10_000_000);
    IntStream.range(0, 5).forEach(_ -> ann.posts("one of five"));
    erasures.begin(ann.id(), now());

    var parts = erase(paced(1_000), ann);

    assertThat(removed(parts)).containsExactly(3, 2);
    assertThat(elapsed(parts)).isLessThan(Duration.ofSeconds(30));
  }

  /** Their entries have expired. */
  @Test
  void oldPostsToManyFollowers_areOnePart() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 9_000);
    IntStream.range(0, 5).forEach(_ -> ann.posts("one of five"));
    harness.table.clock().advance(Duration.ofDays(92));
    erasures.begin(ann.id(), now());

    assertThat(removed(erase(paced, ann))).containsExactly(5);
  }

  @Test
  void notificationsOfSpecialFollowers_countAsWell() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 500);
    aThousandMark(ann);
    IntStream.range(0, 3).forEach(_ -> ann.posts("one of three"));
    erasures.begin(ann.id(), now());

    assertThat(removed(erase(paced, ann))).containsExactly(1, 1, 1);
  }

  /** Feeds have its posts up to a number of followers that is less than it has. */
  @Test
  void notificationsOfSpecialFollowers_countWhereFewFollowersMakeACelebrity() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 1_000);
    aThousandMark(ann);
    IntStream.range(0, 3).forEach(_ -> ann.posts("one of three"));
    erasures.begin(ann.id(), now());

    assertThat(removed(erase(paced(400), ann))).containsExactly(2, 1);
  }

  /** A hidden post is in no feed any more, but who was notified of it is recorded at the post. */
  @Test
  void recordsOfHiddenPosts_countAsWell() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 500);
    aThousandMark(ann);
    for (int i = 0; i < 6; i++) {
      var post = ann.posts("one of six");
      harness.world.posts.changeVisibility(post.postId(), ann.id(), Visibility.PRIVATE);
    }
    erasures.begin(ann.id(), now());

    assertThat(removed(erase(paced, ann))).containsExactly(5, 1);
  }

  /** A pulled post is in no feed, but special followers are notified of it all the same. */
  @Test
  void notificationsOfPulledPosts_countAsWell() {
    set(User.key(ann.id()), User.FOLLOWERS_COUNT, 500);
    harness.set(User.key(ann.id()), User.IS_CELEBRITY, AttributeValue.fromBool(true));
    aThousandMark(ann);
    IntStream.range(0, 3).forEach(_ -> ann.posts("one of three"));
    erasures.begin(ann.id(), now());

    assertThat(removed(erase(paced, ann))).containsExactly(2, 1);
  }

  private static Duration elapsed(List<Part> parts) {
    return Duration.between(parts.getFirst().at(), parts.getLast().at());
  }

  /** Returns how many units the parts before one are ahead of the pace, when it begins, at most. */
  private static double ahead(List<Part> parts) {
    double spent = 0;
    double ahead = 0;
    for (var part : parts) {
      double paid =
          PER_SECOND * Duration.between(parts.getFirst().at(), part.at()).toMillis() / 1e3;
      ahead = Math.max(ahead, spent - paid);
      spent += part.units();
    }
    return ahead;
  }
}
