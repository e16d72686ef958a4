package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.store.WriteOutcome;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;

/**
 * Counter changes whose causes lie in many partitions. One transaction applies each change and
 * writes a row for the processed event; an existing row rejects the change.
 */
public final class TransactionalCounters {
  /** Fewer than a transaction can have: one that fails for one event is written again. */
  static final int TOGETHER = 25;

  private final Table table;
  private final PendingCounts pending;

  /**
   * @param clock decides when pending changes of dead letters expire
   */
  public TransactionalCounters(Table table, Clock clock) {
    this.table = table;
    this.pending = new PendingCounts(clock);
  }

  /**
   * Adds the changes of several events to a counter of an item, each once. A transaction takes up
   * to {@value #TOGETHER} events: two write units, and two an event. Where some of them were
   * processed before, it fails, and another one takes the others. An absent item stays absent.
   *
   * @param deltas the changes by event
   * @throws ThrottledException when concurrent writes keep changing the same items
   * @throws IllegalStateException when no retry can succeed, as when the item lacks the counter
   */
  public void addEachOnce(Map<ProcessedEvent, Long> deltas, Key item, String attribute) {
    var events = List.copyOf(deltas.keySet());
    for (int from = 0; from < events.size(); from += TOGETHER) {
      var left = new ArrayList<>(events.subList(from, Math.min(from + TOGETHER, events.size())));
      table
          .retry()
          .until(
              "Effects of " + left.size() + " events on " + item,
              () -> {
                var outcome = addTogether(left, deltas, item, attribute);
                // The events that were processed before make the transaction fail.
                left.removeIf(event -> outcome.failedAt(event.key()));
                return outcome.isDone() || outcome.failedAt(item) || left.isEmpty()
                    ? Optional.of(true)
                    : Optional.empty();
              });
    }
  }

  private WriteOutcome addTogether(
      List<ProcessedEvent> events, Map<ProcessedEvent, Long> deltas, Key item, String attribute) {
    var transaction = table.transaction();
    events.forEach(event -> transaction.put(event, absent()));
    long sum = events.stream().mapToLong(deltas::get).sum();
    return transaction.update(item, new Update().add(attribute, sum), present()).commit();
  }

  /**
   * Adds to a counter of an item, once an event. Four write units; an absent item stays absent.
   *
   * @return whether it was added now; false when the event was processed before, or there is no
   *     item
   * @throws ThrottledException when concurrent writes keep changing the same items
   * @throws IllegalStateException when no retry can succeed, as when the item lacks the counter
   */
  public boolean addOnce(ProcessedEvent event, Key item, String attribute, long delta) {
    var add = new Update().add(attribute, delta);
    return table
        .retry()
        .until(
            "Effect " + event.name(),
            () -> {
              var outcome =
                  table.transaction().put(event, absent()).update(item, add, present()).commit();
              // A failed condition is final: the event was processed, or the item is gone.
              return outcome.isDone() || outcome.hasFailedCondition()
                  ? Optional.of(outcome.isDone())
                  : Optional.empty();
            });
  }

  /**
   * Defers a change to its dead letter. The event is noted as processed without its effect, so that
   * the stream does not add the change when it delivers the event again, and a pending change is
   * noted with it. One read unit and six write units; none where the event was processed before, or
   * there is no item. The item may lack attributes.
   *
   * @throws ThrottledException when concurrent writes keep changing the same items
   */
  public void leaveOut(ProcessedEvent event, Key item, String attribute) {
    table
        .retry()
        .until(
            "Effect " + event.name(),
            () -> {
              var read = table.get(item);
              if (read.isEmpty()) {
                return Optional.of(false);
              }
              var recounted = PendingCounts.recounted(read.get(), attribute);
              var outcome =
                  table
                      .transaction()
                      .put(event, absent())
                      .update(
                          item,
                          new Update().increment(User.POSTS_LEFT_OUT),
                          present().and(recounted.unchanged()))
                      .put(pending.row(event.name(), recounted))
                      .commit();
              return outcome.isDone() || outcome.failedAt(event.key())
                  ? Optional.of(outcome.isDone())
                  : Optional.empty();
            });
  }

  /**
   * Adds a change that was deferred to a dead letter, once. One read unit and four write units.
   *
   * @param event the name of the processed event
   * @return whether it was added now; false when it was added before, when the counter was
   *     recounted since, or when it was never deferred
   * @throws ThrottledException when concurrent writes keep changing the same items
   * @throws IllegalStateException when the item lacks the counter
   */
  public boolean addLate(String event, Key item, String attribute, long delta) {
    return table
        .retry()
        .until(
            "Effect " + event,
            () -> {
              var read = table.get(item);
              if (read.isEmpty()) {
                return Optional.of(false);
              }
              if (!read.get().containsKey(attribute)) {
                throw new IllegalStateException(item + " lacks " + attribute);
              }
              var recounted = PendingCounts.recounted(read.get(), attribute);
              var change = PendingCounts.key(event, recounted);
              var outcome =
                  table
                      .transaction()
                      .delete(change, present())
                      .update(
                          item,
                          new Update().add(attribute, delta),
                          present().and(recounted.unchanged()))
                      .commit();
              return outcome.isDone() || outcome.failedAt(change)
                  ? Optional.of(outcome.isDone())
                  : Optional.empty();
            });
  }
}
