package social.feed.table.counter;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.Conditions;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TransactionCancellations;
import social.feed.table.row.Counted;
import social.feed.table.row.Key;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.Ranked;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What dead letters are still to add to counters. A claim is made in the transaction that tells the
 * stream not to add it, and taken in the one that adds it. Its name holds how often the counter had
 * been counted anew: a recount has in it what was left out before, so it makes such claims void.
 */
final class PendingCounts {
  /** Longer than the queue keeps a letter (14 days). */
  private static final Duration KEPT = Duration.ofDays(30);

  private final Table table;
  private final Clock clock;

  PendingCounts(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /** How often a counter of an item was counted anew. */
  static RecountVersion recounted(Map<String, AttributeValue> item, String counter) {
    return new RecountVersion(Counted.recounts(counter), item.get(Counted.recounts(counter)));
  }

  /** The same of a count by which something is ranked. */
  static RecountVersion recounted(Ranked row, String count) {
    var times = row.recounts().getOrDefault(count, 0L);
    return new RecountVersion(Ranked.RECOUNTS, AttributeValue.fromN(times.toString()));
  }

  /** The same of an item that is none that can be read. */
  static RecountVersion ranked(Map<String, AttributeValue> item, String count) {
    var recounts = item.get(Ranked.RECOUNTS);
    return new RecountVersion(Ranked.RECOUNTS, recounts == null ? null : recounts.m().get(count));
  }

  TransactWriteItem make(String owed, RecountVersion recounted) {
    var claim =
        new ProcessedEvent(name(owed, recounted), clock.instant().plus(KEPT).getEpochSecond());
    var put = Put.builder().tableName(table.name()).item(RowCodec.encode(claim)).build();
    return TransactWriteItem.builder().put(put).build();
  }

  TransactWriteItem take(String owed, RecountVersion recounted) {
    var delete =
        Delete.builder()
            .tableName(table.name())
            .key(KeyAttributes.of(key(owed, recounted)))
            .conditionExpression(Conditions.PRESENT)
            .build();
    return TransactWriteItem.builder().delete(delete).build();
  }

  /** What is owed to a counter: a record may be owed to several. */
  static String owed(String shardId, Key counted, CountChange change) {
    return String.join(
        "#", shardId, change.sequenceNumber(), counted.partition(), change.attribute());
  }

  /** Why the writes were refused, in their order; empty when they were made. */
  List<CancellationReason> refused(TransactWriteItem... writes) {
    try {
      table.client().transactWriteItems(t -> t.transactItems(writes));
      return List.of();
    } catch (TransactionCanceledException e) {
      return TransactionCancellations.requirePassing(e);
    }
  }

  private static Key key(String owed, RecountVersion recounted) {
    return ProcessedEvent.key(name(owed, recounted));
  }

  private static String name(String owed, RecountVersion recounted) {
    return String.join("#", "owed", recounted.times(), owed);
  }
}
