package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.kernel.time.Timestamps;

/**
 * Grants units to the erasures that wait for the pace, and notes the time, which comes back through
 * the stream and triggers the next grants. An order whose progress another process has noted is
 * skipped.
 */
public final class GrantErasuresHandler
    implements EffectHandler<GrantErasuresHandler.GrantErasures> {
  /** Makes the next grants, if the pace is at this revision. */
  public record GrantErasures(long revision) implements Effect {}

  private final ErasureQueue queue;
  private final Clock clock;

  public GrantErasuresHandler(EffectContext context) {
    this.queue = context.queue;
    this.clock = context.clock;
  }

  @Override
  public void apply(List<GrantErasures> effects) {
    var pace = queue.current();
    if (effects.stream().anyMatch(effect -> effect.revision() == pace.revision())) {
      queue.grant(pace, Timestamps.now(clock));
    }
  }

  /** Orders the grants again, which the lane then makes at its pace. */
  @Override
  public void applyLate(GrantErasures effect) {
    var pace = queue.current();
    if (effect.revision() == pace.revision()) {
      queue.orderAgain(pace);
    }
  }
}
