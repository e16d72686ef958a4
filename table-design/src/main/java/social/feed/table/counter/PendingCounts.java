package social.feed.table.counter;

import java.time.Clock;
import java.util.Map;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Changes that dead letters still have to add to counters. The transaction that makes the stream
 * skip a change writes its row, and the transaction that adds the change deletes the row. The row's
 * name contains the number of recounts of the counter. A recount includes what was deferred before,
 * so it makes those rows void.
 */
final class PendingCounts {
  private final Clock clock;

  PendingCounts(Clock clock) {
    this.clock = clock;
  }

  /** Returns the recount version of a counter of an item. */
  static RecountVersion recounted(Map<String, AttributeValue> item, String counter) {
    return new RecountVersion(Counted.recounts(counter), item.get(Counted.recounts(counter)));
  }

  /** Returns the recount version of a count by which a row is ranked. */
  static RecountVersion recounted(Ranked.Recountable row, String count) {
    var times = row.recounts().getOrDefault(count, 0L);
    return new RecountVersion(Ranked.Recountable.RECOUNTS, AttributeValue.fromN(times.toString()));
  }

  /**
   * As {@link #recounted(Ranked.Recountable, String)}, for an item from which no row may be read.
   */
  static RecountVersion ranked(Map<String, AttributeValue> item, String count) {
    var recounts = item.get(Ranked.Recountable.RECOUNTS);
    return new RecountVersion(
        Ranked.Recountable.RECOUNTS, recounts == null ? null : recounts.m().get(count));
  }

  /** Returns the row of a pending change. */
  ProcessedEvent row(String change, RecountVersion recounted) {
    return new ProcessedEvent(
        name(change, recounted), clock.instant().plus(Retention.PENDING_COUNTS).getEpochSecond());
  }

  /** Returns the key of a pending change. */
  static Key key(String change, RecountVersion recounted) {
    return ProcessedEvent.key(name(change, recounted));
  }

  /** Returns the name of a change. One record may change several counters. */
  static String nameOf(String shardId, Key counted, CountChange change) {
    return String.join(
        "#", shardId, change.sequenceNumber(), counted.partition(), change.attribute());
  }

  private static String name(String change, RecountVersion recounted) {
    return String.join("#", "owed", recounted.times(), change);
  }
}
