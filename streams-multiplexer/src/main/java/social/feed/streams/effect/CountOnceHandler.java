package social.feed.streams.effect;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;

/**
 * Adds to counters whose events lie in many partitions. Two write units an effect, and two more for
 * each counter of a batch.
 */
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
    // One time for all, so that an event that comes twice counts once.
    long expiresAt = expiry();
    var byCounter =
        effects.stream()
            .collect(
                groupingBy(
                    effect -> new Counter(effect.item(), effect.attribute()),
                    LinkedHashMap::new,
                    toMap(
                        effect -> new ProcessedEvent(effect.event(), expiresAt),
                        CountOnce::delta,
                        (first, _) -> first,
                        LinkedHashMap::new)));
    byCounter.forEach(
        (counter, deltas) -> counters.addEachOnce(deltas, counter.item(), counter.attribute()));
  }

  /** A counter of an item. */
  private record Counter(Key item, String attribute) {}

  /** Leaves the count to its dead letter, so that the stream does not apply it again. */
  @Override
  public void deadLettered(CountOnce effect) {
    counters.leaveOut(
        new ProcessedEvent(effect.event(), expiry()), effect.item(), effect.attribute());
  }

  /** Takes the pending count; applies an effect that has none like any other. */
  @Override
  public void applyLate(CountOnce effect) {
    if (!counters.addLate(effect.event(), effect.item(), effect.attribute(), effect.delta())) {
      apply(List.of(effect));
    }
  }

  private long expiry() {
    return clock.instant().plus(Retention.PROCESSED_EVENTS).getEpochSecond();
  }
}
