package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.Optional;
import org.slf4j.spi.LoggingEventBuilder;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;

/** What log lines say about the record that they belong to. */
public final class RecordFields {
  private RecordFields() {}

  /** Returns the key of the changed item; empty for a record without keys. */
  public static Optional<Key> item(DynamodbStreamRecord record) {
    var keys = record.getDynamodb() == null ? null : record.getDynamodb().getKeys();
    var partition = keys == null ? null : keys.get(BaseTable.PK);
    var sort = keys == null ? null : keys.get(BaseTable.SK);
    return partition == null || sort == null || partition.getS() == null || sort.getS() == null
        ? Optional.empty()
        : Optional.of(new Key(partition.getS(), sort.getS()));
  }

  /** Adds the ids of the event, the hash of the item and, where it belongs to one, the post. */
  static LoggingEventBuilder add(LoggingEventBuilder line, DynamodbStreamRecord record) {
    var known =
        line.addKeyValue("event", record.getEventID())
            .addKeyValue("record", record.getDynamodb().getSequenceNumber());
    var item = item(record);
    if (item.isEmpty()) {
      return known;
    }
    known = known.addKeyValue("item", Pseudonyms.ofItem(item.get()));
    var post = Pseudonyms.postOf(item.get());
    return post.isEmpty() ? known : known.addKeyValue("post", post.get());
  }
}
