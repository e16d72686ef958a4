package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Instant;
import java.util.List;

/**
 * A batch that was given up: the fields of an on-failure message and, as in an S3 destination, the
 * records.
 *
 * @param condition the reason for giving it up
 * @param invocations number of calls since the first of these records became the head of a batch
 * @param lastError message of the last failed call, or a text that there was no call
 * @param records at least one, oldest first
 */
public record FailedBatch(
    String mapping,
    String streamArn,
    String shardId,
    Condition condition,
    int invocations,
    String lastError,
    Instant failedAt,
    List<DynamodbStreamRecord> records) {

  /** The values of Lambda's {@code requestContext.condition}. */
  public enum Condition {
    RETRY_ATTEMPTS_EXHAUSTED,
    RECORD_AGE_EXCEEDED
  }

  public FailedBatch {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("a failed batch must have records");
    }
    records = List.copyOf(records);
  }

  public String startSequenceNumber() {
    return records.getFirst().getDynamodb().getSequenceNumber();
  }

  public String endSequenceNumber() {
    return records.getLast().getDynamodb().getSequenceNumber();
  }

  /** Returns a description without the records, because their images do not belong in a log. */
  @Override
  public String toString() {
    return "%d records of mapping %s, shard %s, %s to %s: %s after %d calls, last error: %s"
        .formatted(
            records.size(),
            mapping,
            shardId,
            startSequenceNumber(),
            endSequenceNumber(),
            condition,
            invocations,
            lastError);
  }
}
