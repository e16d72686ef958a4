package social.feed.table.counter;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import social.feed.table.row.Counted;
import social.feed.table.row.EffectMark;
import social.feed.table.row.Key;
import social.feed.table.schema.KeyAttributes;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Conditions;
import social.feed.table.store.Table;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * What dead letters are still to add to counters. A claim is made in the transaction that tells the
 * stream not to add it, and taken in the one that adds it. Its name holds how often the counter had
 * been counted anew: a recount has in it what was left out before, so it makes such claims void.
 */
final class Claims {
  /** Longer than the queue keeps a letter (14 days). */
  private static final Duration KEPT = Duration.ofDays(30);

  private final Table table;
  private final Clock clock;

  Claims(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
  }

  /** How often a counter of an item was counted anew. */
  static Recounted recounted(Map<String, AttributeValue> item, String counter) {
    return new Recounted(Counted.recounts(counter), item.get(Counted.recounts(counter)));
  }

  TransactWriteItem make(String owed, Recounted recounted) {
    var claim = new EffectMark(name(owed, recounted), clock.instant().plus(KEPT).getEpochSecond());
    var put = Put.builder().tableName(table.name()).item(RowCodec.encode(claim)).build();
    return TransactWriteItem.builder().put(put).build();
  }

  TransactWriteItem take(String owed, Recounted recounted) {
    var delete =
        Delete.builder()
            .tableName(table.name())
            .key(KeyAttributes.of(key(owed, recounted)))
            .conditionExpression(Conditions.PRESENT)
            .build();
    return TransactWriteItem.builder().delete(delete).build();
  }

  private static Key key(String owed, Recounted recounted) {
    return EffectMark.key(name(owed, recounted));
  }

  private static String name(String owed, Recounted recounted) {
    return String.join("#", "owed", recounted.times(), owed);
  }
}
