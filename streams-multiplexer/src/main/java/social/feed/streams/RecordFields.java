package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;

/** What every reader asks of a stream record. */
final class RecordFields {
  private RecordFields() {}

  static String sequenceNumber(DynamodbStreamRecord record) {
    return record.getDynamodb().getSequenceNumber();
  }
}
