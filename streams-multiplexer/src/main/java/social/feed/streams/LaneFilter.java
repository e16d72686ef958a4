package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.Objects;
import social.feed.streams.plan.Lane;
import social.feed.table.row.RowKind;

/** Which records an event source is to give to a lane. */
public final class LaneFilter {
  private LaneFilter() {}

  /**
   * Whether a record may have effects in a lane. One of an entity type that nobody knows has: it is
   * to become a dead letter, not to vanish.
   */
  public static boolean wants(Lane lane, DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    var image = images.getNewImage() != null ? images.getNewImage() : images.getOldImage();
    var entity = image == null ? null : image.get(RowKind.ATTRIBUTE);
    if (entity == null || entity.getS() == null) {
      return true;
    }
    return RowKind.named(entity.getS())
        .map(kind -> lane.wants(kind, record.getEventName()) && flipped(kind, images))
        .orElse(true);
  }

  private static boolean flipped(RowKind kind, StreamRecord images) {
    var before = images.getOldImage();
    var after = images.getNewImage();
    return before == null
        || after == null
        || Lane.flagOf(kind)
            .map(flag -> !Objects.equals(before.get(flag), after.get(flag)))
            .orElse(true);
  }
}
