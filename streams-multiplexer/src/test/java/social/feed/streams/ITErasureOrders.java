package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.WaitingErasures;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.WaitingErasure;

/** Orders of erasures that are lost. */
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
}
