package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.row.RowKind;

/**
 * Truncates the images of a record to the key and the entity type. Two images may hold 800 KB, a
 * message 256 KB.
 */
final class TruncatedImages {
  private static final List<String> KEPT = List.of(BaseTable.PK, BaseTable.SK, RowKind.ATTRIBUTE);

  private TruncatedImages() {}

  static DynamodbStreamRecord of(DynamodbStreamRecord record) {
    var whole = record.getDynamodb();
    var images = new StreamRecord();
    images.setApproximateCreationDateTime(whole.getApproximateCreationDateTime());
    images.setSequenceNumber(whole.getSequenceNumber());
    images.setSizeBytes(whole.getSizeBytes());
    images.setKeys(whole.getKeys());
    images.setOldImage(truncated(whole.getOldImage()));
    images.setNewImage(truncated(whole.getNewImage()));
    var truncated = new DynamodbStreamRecord();
    truncated.setEventID(record.getEventID());
    truncated.setEventName(record.getEventName());
    truncated.setEventVersion(record.getEventVersion());
    truncated.setEventSource(record.getEventSource());
    truncated.setEventSourceARN(record.getEventSourceARN());
    truncated.setAwsRegion(record.getAwsRegion());
    truncated.setUserIdentity(record.getUserIdentity());
    truncated.setDynamodb(images);
    return truncated;
  }

  private static @Nullable Map<String, AttributeValue> truncated(
      @Nullable Map<String, AttributeValue> image) {
    if (image == null) {
      return null;
    }
    var kept = new HashMap<>(image);
    kept.keySet().retainAll(KEPT);
    // An item of another program may have any entity type; keys have limits of their own.
    kept.computeIfPresent(
        RowKind.ATTRIBUTE, (_, entity) -> isShort(entity) ? entity : new AttributeValue("?"));
    return kept;
  }

  private static boolean isShort(AttributeValue entity) {
    return entity.getS() != null && entity.getS().length() <= 100;
  }
}
