package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A record that passed the filter and awaits delivery. */
record BatchRecord(DynamodbStreamRecord record) {

  String sequenceNumber() {
    return record.getDynamodb().getSequenceNumber();
  }

  /** Returns the size that the stream reports. The 6 MB of a call are counted in it. */
  long sizeBytes() {
    @Nullable Long size = record.getDynamodb().getSizeBytes();
    return size == null ? 0 : size;
  }

  boolean isOlderThan(Instant limit) {
    var created = record.getDynamodb().getApproximateCreationDateTime();
    return created != null && created.toInstant().isBefore(limit);
  }

  /** Returns the lane of the record's partition key. */
  int lane(String partitionKey, int lanes) {
    return Math.floorMod(
        String.valueOf(record.getDynamodb().getKeys().get(partitionKey)).hashCode(), lanes);
  }
}
