package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Instant;
import java.util.List;

/**
 * A batch that was given up, with what an on-failure message says and, as in S3, the records.
 *
 * @param condition why it was given up
 * @param invocations calls with the first of these records since it headed a batch
 * @param lastError message of the last failed call; says that there was none where that is so
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

  /** The names that Lambda gives in {@code requestContext.condition}. */
  public enum Condition {
    RETRY_ATTEMPTS_EXHAUSTED,
    RECORD_AGE_EXCEEDED
  }

  public FailedBatch {
    if (records.isEmpty()) {
      throw new IllegalArgumentException("a failed batch has records");
    }
    records = List.copyOf(records);
  }

  public String startSequenceNumber() {
    return records.getFirst().getDynamodb().getSequenceNumber();
  }

  public String endSequenceNumber() {
    return records.getLast().getDynamodb().getSequenceNumber();
  }

  /** Without the records, whose images do not belong in a log. */
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
