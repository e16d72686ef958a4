package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureTimer;

/** Begins the sweep that all pending erasures share, or continues one that has stopped. */
public final class WakeErasureHandler implements EffectHandler<WakeErasureHandler.WakeErasure> {
  /** Wakes what waited for a timer. */
  public record WakeErasure(ErasureTimer timer) implements Effect {}

  private final Table table;
  private final Erasures erasures;
  private final ErasureSweeps sweeps;
  private final Clock clock;

  public WakeErasureHandler(EffectContext context) {
    this.table = context.table;
    this.erasures = new Erasures(context.table, context.users);
    this.sweeps = context.sweeps;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<WakeErasure> effects) {
    effects.forEach(effect -> wake(effect.timer()));
  }

  /** Sets the timer of the sweep again, so that the lane begins a sweep when it is due. */
  @Override
  public void applyLate(WakeErasure effect) {
    if (effect.timer().isOfSweep()) {
      ErasureSweeps.wakeAgain(table, clock.instant());
    } else {
      wake(effect.timer());
    }
  }

  private void wake(ErasureTimer timer) {
    var now = Timestamps.now(clock);
    if (timer.isOfSweep()) {
      sweeps.wake(now);
    } else {
      // An earlier version let each erasure wait for a timer of its own.
      erasures
          .hashed(timer.hash())
          .filter(erasure -> erasure.step() == ErasureStep.RESTING)
          .filter(erasure -> erasure.passes() == timer.pass())
          .ifPresent(erasure -> sweeps.join(erasure, now));
    }
  }
}
