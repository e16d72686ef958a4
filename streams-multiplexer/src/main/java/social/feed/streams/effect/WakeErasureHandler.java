package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.ErasureTimer;

/** Starts another walk of the table for an erasure that has rested. */
public final class WakeErasureHandler implements EffectHandler<WakeErasureHandler.WakeErasure> {
  /** Continues an erasure that has rested. */
  public record WakeErasure(ErasureTimer timer) implements Effect {}

  private final Erasures erasures;
  private final Clock clock;

  public WakeErasureHandler(EffectContext context) {
    this.erasures = new Erasures(context.table, context.users);
    this.clock = context.clock;
  }

  @Override
  public void apply(List<WakeErasure> effects) {
    effects.forEach(effect -> erasures.wake(effect.timer(), Timestamps.now(clock)));
  }
}
