package social.feed.streams.change;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Row;

/** Reads the rows out of a stream record. */
public final class ChangeDecoder {
  /** Who removes expired items, as DynamoDB documents it. */
  private static final String TTL_PRINCIPAL = "dynamodb.amazonaws.com";

  private ChangeDecoder() {}

  /**
   * The change that a record tells of.
   *
   * @throws social.feed.table.kernel.schema.MalformedItemException naming the key of an item that
   *     nobody knows
   * @throws IllegalArgumentException for a record without the images that its event needs
   */
  public static Change decode(DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    return switch (record.getEventName()) {
      case "INSERT" -> new Change.Inserted(row(images.getNewImage()));
      case "MODIFY" -> new Change.Modified(row(images.getOldImage()), row(images.getNewImage()));
      case "REMOVE" -> removed(record, row(images.getOldImage()));
      default -> throw new IllegalArgumentException("Unknown event " + record.getEventName());
    };
  }

  private static Change removed(DynamodbStreamRecord record, Row row) {
    var identity = record.getUserIdentity();
    return identity != null && TTL_PRINCIPAL.equals(identity.getPrincipalId())
        ? new Change.Expired(row)
        : new Change.Removed(row);
  }

  private static Row row(@Nullable Map<String, AttributeValue> image) {
    if (image == null) {
      throw new IllegalArgumentException("A record without its image: the stream needs both");
    }
    return RowCodec.decode(DynamodbAttributeValueTransformer.toAttributeValueMapV2(image));
  }
}
