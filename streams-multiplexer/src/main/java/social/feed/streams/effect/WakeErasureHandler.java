package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.streams.plan.Effect.WakeErasure;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;

/** Has the table walked again for an erasure that has rested. */
final class WakeErasureHandler implements EffectHandler<WakeErasure> {
  private final Erasures erasures;
  private final Clock clock;

  WakeErasureHandler(Erasures erasures, Clock clock) {
    this.erasures = erasures;
    this.clock = clock;
  }

  @Override
  public void apply(List<WakeErasure> effects) {
    effects.forEach(effect -> erasures.wake(effect.alarm(), Timestamps.now(clock)));
  }
}
