package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;

/**
 * Orders of erasures that were lost, and that a command applies to the table of a stage. The
 * command does not know the settings of the stage, and has others.
 */
class ITRedrivenErasures extends PacedErasureScenario {
  private EffectHandlers command;

  @BeforeEach
  void createCommand() {
    var minute = Duration.ofMinutes(1);
    command =
        new EffectHandlers(
            harness.table.table(),
            harness.table.clock(),
            EffectSettings.of(
                    StreamHarness.NEWEST,
                    BatchSizes.STANDARD,
                    new ErasureSweeps.Settings(minute, minute, Double.POSITIVE_INFINITY))
                .withTraces(ErasureTraces.UNKNOWN));
  }

  @Test
  void part_isOrderedAgain_andWaitsForItsUnits() {
    likedPosts(ann, 2);
    erasures.begin(ann.id(), now());
    var lost = erasure(ann);

    for (int time = 1; time <= 2; time++) {
      command.applyLate(new Erase(lost.hash(), lost.revision()));

      var again = erasure(ann);
      assertThat(again).isEqualTo(lost.again().at(again.lastOrder()));
      assertThat(postsLeft(ann)).isEqualTo(2);
    }
    assertThat(removed(erase(paced, ann))).containsExactly(2);
  }

  @Test
  void grants_areOrderedAgain() {
    erasures.begin(ann.id(), now());
    order(paced, erasure(ann));
    var lost = queue.current();

    command.applyLate(new GrantErasures(lost.revision()));

    assertThat(queue.current()).isEqualTo(lost.again());
    assertThat(erasure(ann).unitsGranted()).isZero();
  }

  @Test
  void partsOfASweep_areOrderedAgain() {
    rest();
    harness.table.clock().advance(Duration.ofHours(1));
    wakeTheLane();
    while (current().isUnderWay()) {
      var lost = current();
      var resting = erasure(ann);
      command.applyLate(new SweepErasures(lost.revision()));

      assertThat(current()).isEqualTo(lost.again());
      assertThat(erasure(ann)).isEqualTo(resting);
      order(paced);
    }
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
  }

  @Test
  void timer_isSetAgain_andTheSweepBeginsWhenItIsDue() {
    rest();
    var first = sweepByTheLane();
    harness.table.clock().advance(Duration.ofDays(2));
    harness.table.table().delete(ErasureTimer.OF_SWEEP);

    command.applyLate(new WakeErasure(ErasureTimer.ofSweep(first.number(), now())));

    assertThat(current()).isEqualTo(first);
    assertThat(timers()).hasSize(1);
  }

  @Test
  void restingErasure_getsTheTimerAgain() {
    rest();
    var first = sweepByTheLane();
    harness.table.clock().advance(Duration.ofDays(2));
    harness.table.table().delete(ErasureTimer.OF_SWEEP);

    command.applyLate(new Erase(erasure(ann).hash(), erasure(ann).revision()));

    assertThat(current()).isEqualTo(first);
    assertThat(timers()).hasSize(1).allMatch(timer -> timer.expiresAt() == now().getEpochSecond());
  }

  private void rest() {
    erasures.begin(ann.id(), now());
    erase(paced, ann);
  }

  private ErasureSweep sweepByTheLane() {
    wakeTheLane();
    while (current().isUnderWay()) {
      order(paced);
    }
    return current();
  }

  private void wakeTheLane() {
    paced.apply(List.of(new WakeErasure(ErasureTimer.ofSweep(0, now()))));
  }
}
