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
 * A record whose images say no more than which item it is. Two images may hold 800 KB, a message
 * 256 KB.
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
    images.setOldImage(cut(whole.getOldImage()));
    images.setNewImage(cut(whole.getNewImage()));
    var cut = new DynamodbStreamRecord();
    cut.setEventID(record.getEventID());
    cut.setEventName(record.getEventName());
    cut.setEventVersion(record.getEventVersion());
    cut.setEventSource(record.getEventSource());
    cut.setEventSourceARN(record.getEventSourceARN());
    cut.setAwsRegion(record.getAwsRegion());
    cut.setUserIdentity(record.getUserIdentity());
    cut.setDynamodb(images);
    return cut;
  }

  private static @Nullable Map<String, AttributeValue> cut(
      @Nullable Map<String, AttributeValue> image) {
    if (image == null) {
      return null;
    }
    var kept = new HashMap<>(image);
    kept.keySet().retainAll(KEPT);
    // A foreign item may call anything its entity type; keys have limits of their own.
    kept.computeIfPresent(
        RowKind.ATTRIBUTE, (_, entity) -> isShort(entity) ? entity : new AttributeValue("?"));
    return kept;
  }

  private static boolean isShort(AttributeValue entity) {
    return entity.getS() != null && entity.getS().length() <= 100;
  }
}
