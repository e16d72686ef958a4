package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.id.Sha256;
import social.feed.table.row.Key;
import social.feed.table.row.RowKind;

/**
 * A record that one handler can never apply.
 *
 * @param handler the name of the effect that failed; {@value #COUNTS} with the item that could not
 *     be counted in; or {@value #COUNTS} or {@value #DECODE} alone for a record that a lane could
 *     not decode
 * @param reason the failure, in words
 * @param shardId the shard that the record came from, if the event named it
 * @param record as it was delivered, with both images, so that it can be applied again
 * @param isTruncated whether the images were too large for a message and hold only the key and the
 *     entity type
 */
public record DeadLetter(
    String handler,
    String reason,
    Optional<String> shardId,
    DynamodbStreamRecord record,
    boolean isTruncated) {
  /** The handler of records that the counts lane could not decode. */
  public static final String COUNTS = "counts";

  private static final String COUNTS_AT = COUNTS + " at ";

  /** The handler of records that the effects lane could not decode. */
  public static final String DECODE = "decode";

  private static final int ID_LENGTH = 10;

  /** A dead letter of the effects lane, whose events do not name their shard. */
  public static DeadLetter of(String handler, String reason, DynamodbStreamRecord record) {
    return new DeadLetter(handler, reason, Optional.empty(), record, false);
  }

  /** A dead letter of the counts lane for one of the items that a record counts in. */
  public static DeadLetter ofCount(
      String shardId, Key item, String reason, DynamodbStreamRecord record) {
    return new DeadLetter(COUNTS_AT + item, reason, Optional.of(shardId), record, false);
  }

  /** A dead letter of the counts lane for a whole record. */
  public static DeadLetter ofCounts(String shardId, String reason, DynamodbStreamRecord record) {
    return new DeadLetter(COUNTS, reason, Optional.of(shardId), record, false);
  }

  /** Whether it comes from the counts lane. */
  public boolean isOfCounts() {
    return handler.equals(COUNTS) || handler.startsWith(COUNTS_AT);
  }

  /** Whether it comes from the counts lane and includes the counts of an item. */
  public boolean isOfCount(Key item) {
    return handler.equals(COUNTS) || handler.equals(COUNTS_AT + item);
  }

  /** An identifier that stays the same when the same record fails again in the same handler. */
  public String id() {
    var name = String.join("\n", handler, sequenceNumber(), key().toString());
    return Sha256.hex(name).substring(0, ID_LENGTH);
  }

  /** The key of the item. */
  public Key key() {
    return new Key(text(BaseTable.PK), text(BaseTable.SK));
  }

  public String sequenceNumber() {
    return String.valueOf(record.getDynamodb().getSequenceNumber());
  }

  /**
   * The entity type and key of the item, as far as the record has them. A record that cannot be
   * decoded may still have both.
   */
  public String subject() {
    return text(RowKind.ATTRIBUTE) + " " + key();
  }

  private String text(String attribute) {
    var images = record.getDynamodb();
    return text(images.getNewImage(), attribute)
        .or(() -> text(images.getOldImage(), attribute))
        .or(() -> text(images.getKeys(), attribute))
        .orElse("?");
  }

  private static Optional<String> text(
      @Nullable Map<String, AttributeValue> image, String attribute) {
    return Optional.ofNullable(image).map(it -> it.get(attribute)).map(AttributeValue::getS);
  }
}
