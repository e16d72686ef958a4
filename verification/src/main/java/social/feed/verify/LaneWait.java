package social.feed.verify;

import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import social.feed.table.counter.Fences;
import social.feed.table.counter.Fences.Passage;
import social.feed.table.counter.Fences.Place;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;

/**
 * Raises fences and waits until the lanes of the multiplexer have passed them. After one wait in
 * vain it waits no more, so a lane that is far behind delays a run once. A table that never had a
 * stream needs no fence.
 *
 * <p>Where the rows of a partition lie in several shards, fences prove nothing. Such a place is
 * passed only if the run waits for as long as the stream can deliver a record: then the time itself
 * is the proof. Four write units a place, and those of the lane; one read unit a place and look.
 */
public final class LaneWait implements RepairLoop.Lanes {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Fences fences;
  private final Clock clock;
  private final Duration patience;
  private final Consumer<Duration> pausing;
  private final IntConsumer waiting;
  private boolean isBehind;

  /**
   * @param patience the longest wait, and how long the run has waited for the stream since it
   *     counted
   * @param waiting receives the number of places that are not passed yet, after each look
   */
  public LaneWait(Table table, Duration patience, IntConsumer waiting) {
    this(
        table,
        Clock.systemUTC(),
        patience,
        pause -> LockSupport.parkNanos(pause.toNanos()),
        waiting);
  }

  /**
   * The same by another clock.
   *
   * @param pausing returns after a pause between two looks
   */
  public LaneWait(
      Table table,
      Clock clock,
      Duration patience,
      Consumer<Duration> pausing,
      IntConsumer waiting) {
    this.fences = new Fences(table, clock);
    this.clock = clock;
    this.patience = patience;
    this.pausing = pausing;
    this.waiting = waiting;
  }

  @Override
  public Set<Place> passed(Set<Place> places, boolean hasWaited) {
    if (places.isEmpty() || !fences.areNeeded()) {
      return places;
    }
    if (isBehind) {
      return Set.of();
    }
    var name = fences.raise(places);
    var passed = new HashSet<Place>();
    var left = new HashSet<>(places);
    // Each look reads two rows for each place, at the pace of the run, so looks count as well.
    var end = clock.instant().plus(patience);
    for (var pause = FIRST_PAUSE; ; pause = longer(pause)) {
      fences
          .passages(name, left)
          .forEach(
              (place, passage) -> {
                if (passage != Passage.WAITING) {
                  left.remove(place);
                }
                if (passage == Passage.PASSED
                    || passage == Passage.DIVIDED && hasWaited && isOutwaited()) {
                  passed.add(place);
                }
              });
      if (left.isEmpty()) {
        return passed;
      }
      waiting.accept(left.size());
      if (!clock.instant().isBefore(end)) {
        isBehind = true;
        return passed;
      }
      pausing.accept(pause);
    }
  }

  private boolean isOutwaited() {
    return patience.compareTo(Retention.LATEST_DELIVERY) >= 0;
  }

  private static Duration longer(Duration pause) {
    var doubled = pause.multipliedBy(2);
    return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
  }
}
