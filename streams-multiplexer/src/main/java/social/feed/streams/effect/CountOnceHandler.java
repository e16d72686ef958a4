package social.feed.streams.effect;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import social.feed.streams.plan.Effect.CountOnce;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.row.ProcessedEvent;

/** Counters whose causes lie in many partitions. Four write units an effect. */
final class CountOnceHandler implements EffectHandler<CountOnce> {
  /** Longer than the stream (a day) or the dead-letter queue (14 days) can bring a change again. */
  private static final Duration REMEMBERED = Duration.ofDays(30);

  private final TransactionalCounters marks;
  private final Clock clock;

  CountOnceHandler(TransactionalCounters marks, Clock clock) {
    this.marks = marks;
    this.clock = clock;
  }

  @Override
  public void apply(List<CountOnce> effects) {
    for (var effect : effects) {
      marks.addOnce(mark(effect), effect.item(), effect.attribute(), effect.delta());
    }
  }

  /** Keeps the stream from counting it when it comes again: that is for its dead letter. */
  void buried(CountOnce effect) {
    marks.leaveOut(mark(effect), effect.item(), effect.attribute());
  }

  /** Counts what was left to a dead letter; false where there is nothing left to count. */
  boolean isAppliedLate(CountOnce effect) {
    return marks.addLate(effect.mark(), effect.item(), effect.attribute(), effect.delta());
  }

  private ProcessedEvent mark(CountOnce effect) {
    return new ProcessedEvent(effect.mark(), clock.instant().plus(REMEMBERED).getEpochSecond());
  }
}
