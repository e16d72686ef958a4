package social.feed.streams.effect;

import java.time.Clock;
import java.util.List;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;

/** Adds to counters whose events lie in many partitions. Four write units an effect. */
public final class CountOnceHandler implements EffectHandler<CountOnceHandler.CountOnce> {
  /** Adds to a counter whose events lie in many partitions, once for each processed event. */
  public record CountOnce(String event, Key item, String attribute, long delta) implements Effect {}

  private final TransactionalCounters counters;
  private final Clock clock;

  public CountOnceHandler(EffectContext context) {
    this.counters = new TransactionalCounters(context.table, context.clock);
    this.clock = context.clock;
  }

  @Override
  public void apply(List<CountOnce> effects) {
    for (var effect : effects) {
      counters.addOnce(processed(effect), effect.item(), effect.attribute(), effect.delta());
    }
  }

  /** Leaves the count to its dead letter, so that the stream does not apply it again. */
  @Override
  public void deadLettered(CountOnce effect) {
    counters.leaveOut(processed(effect), effect.item(), effect.attribute());
  }

  /** Takes the pending count; applies an effect that has none like any other. */
  @Override
  public void applyLate(CountOnce effect) {
    if (!counters.addLate(effect.event(), effect.item(), effect.attribute(), effect.delta())) {
      apply(List.of(effect));
    }
  }

  private ProcessedEvent processed(CountOnce effect) {
    return new ProcessedEvent(
        effect.event(), clock.instant().plus(Retention.PROCESSED_EVENTS).getEpochSecond());
  }
}
