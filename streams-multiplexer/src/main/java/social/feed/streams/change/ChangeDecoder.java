package social.feed.streams.change;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.transformers.v2.dynamodb.DynamodbAttributeValueTransformer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Row;

/** Decodes the rows of a stream record. */
public final class ChangeDecoder {
  /** The principal that removes expired items, as DynamoDB documents it. */
  private static final String TTL_PRINCIPAL = "dynamodb.amazonaws.com";

  private ChangeDecoder() {}

  /**
   * Returns the change in a record.
   *
   * @throws social.feed.table.kernel.schema.MalformedItemException naming the key of an item that
   *     cannot be decoded
   * @throws IllegalArgumentException for a record without the images that its event requires
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
      throw new IllegalArgumentException(
          "The record has no image. Set the view type of the stream to both images");
    }
    return RowCodec.decode(DynamodbAttributeValueTransformer.toAttributeValueMapV2(image));
  }
}
