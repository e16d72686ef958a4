package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.WaitingErasures;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.Key;
import social.feed.table.row.WaitingErasure;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Orders of erasures that are lost, and rows of one erasure that cannot be read. */
class ITErasureOrders extends PacedErasureScenario {
  /** The clock has granted the units and stopped, and the order of the part is lost. */
  @Test
  void partWhoseOrderIsLost_isFoundAfterAnHour_andOrderedAgain() {
    likedPosts(ann, 2);
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    order(paced, queue.current());
    settle(paced);
    var lost = erasure(ann);
    assertThat(waiting()).isEmpty();
    assertThat(stalled()).isEmpty();
    harness.table.clock().advance(Duration.ofMinutes(61));
    assertThat(stalled()).containsExactly(lost);

    assertThat(erasures.orderAgain(lost, now())).isTrue();

    var again = erasure(ann);
    assertThat(stalled()).isEmpty();
    assertThat(again.unitsLeft()).isEqualTo(ErasureQueue.LEAST);
    order(paced, lost);
    assertThat(erasure(ann)).as("an order that was late and not lost").isEqualTo(again);
    assertThat(erasures.orderAgain(lost, now())).isFalse();
    assertThat(removed(erase(paced, ann))).containsExactly(2);
  }

  @Test
  void erasureThatWaitsForUnits_isNotStalled() {
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    harness.table.clock().advance(Duration.ofDays(2));
    assertThat(stalled()).isEmpty();

    erasures.orderAgain(erasure(ann), now());
    harness.table.clock().advance(Duration.ofDays(2));
    assertThat(stalled()).as("the row is of another version").containsExactly(erasure(ann));
    order(paced, erasure(ann));
    assertThat(stalled()).isEmpty();
    assertThat(waiting()).containsExactly(WaitingErasure.of(erasure(ann), ErasureQueue.LEAST));
  }

  /** A scan of the table meets late erasures on many of its pages. */
  @Test
  void rowsThatWait_areReadOnceAMinute() {
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    harness.table.clock().advance(Duration.ofHours(2));
    var once = new WaitingErasures(new TableScanner(harness.table.table()));

    var late = List.of(erasure(ann));
    for (int units : List.of(1, 0, 0)) {
      try (var bill = harness.table.bill()) {
        assertThat(once.stalled(late, now())).isEmpty();
        assertThat(bill.take().units()).isEqualTo(new ConsumedUnits(units, 0));
      }
    }

    erasures.orderAgain(erasure(ann), now());
    harness.table.clock().advance(Duration.ofHours(2));
    assertThat(once.stalled(List.of(erasure(ann)), now())).containsExactly(erasure(ann));
  }

  /** A process that was slow notes no progress, and the part is done again. */
  @Test
  void partThatRunsWhileItIsOrderedAgain_isRepeated() {
    likedPosts(ann, 2);
    erasures.begin(ann.id(), now());
    var slow = erasure(ann);
    erasures.orderAgain(slow, now());

    assertThat(erasures.advance(slow, slow.done(), now())).isFalse();

    assertThat(removed(erase(paced, ann))).containsExactly(2);
  }

  private List<Erasure> stalled() {
    return new WaitingErasures(new TableScanner(harness.table.table()))
        .stalled(List.of(erasure(ann)), now());
  }

  @Test
  void rowsThatCannotBeRead_delayTheirOwnErasureOnly() {
    likedPosts(ann, 1);
    for (var person : List.of(ann, bob)) {
      erasures.begin(person.id(), now());
      order(paced, erasure(person));
    }
    var ofBob = WaitingErasure.of(erasure(bob), ErasureQueue.LEAST).key();
    // More than an order looks at.
    IntStream.range(0, 60).forEach(i -> unreadable(WaitingErasure.of(of("u" + i), 1)));
    damage(ofBob, "units");

    assertThat(removed(erase(paced, ann))).containsExactly(1);
    assertThat(erasure(bob).unitsGranted()).isZero();

    // By hand, as verify reports it.
    harness.set(ofBob, "units", AttributeValue.fromN("200"));
    order(paced, erasure(bob));
    settle(paced);
    assertThat(erasure(bob).unitsGranted()).isEqualTo(ErasureQueue.LEAST);
  }

  /** The clock takes its row away; corrected, it is ordered again as one whose order is lost. */
  @Test
  void erasureThatCannotBeRead_delaysNoOther() {
    likedPosts(ann, 1);
    for (var person : List.of(bob, ann)) {
      erasures.begin(person.id(), now());
      order(paced, erasure(person));
    }
    var key = Erasure.key(bob.id());
    damage(key, "step");

    assertThat(removed(erase(paced, ann))).containsExactly(1);
    settle(paced);

    assertThat(waiting()).isEmpty();
    harness.set(key, "step", AttributeValue.fromS("posts"));
    erasures.orderAgain(erasure(bob), now());
    assertThat(removed(erase(paced, bob))).containsExactly(1);
  }

  private static Erasure of(String userId) {
    return Erasure.of(userId, Instant.EPOCH);
  }

  private void unreadable(WaitingErasure row) {
    harness.table.table().putAll(List.of(row));
    damage(row.key(), "units");
  }

  private void damage(Key key, String attribute) {
    harness.set(key, attribute, AttributeValue.fromS("unreadable"));
  }
}
