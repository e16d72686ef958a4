package social.feed.table.counter;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.present;

import java.time.Clock;
import java.util.Optional;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.User;

/**
 * Counter changes whose causes lie in many partitions. One transaction applies each change and
 * writes a row for the processed event; an existing row rejects the change.
 */
public final class TransactionalCounters {
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
