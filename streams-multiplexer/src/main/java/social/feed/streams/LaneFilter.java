package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.Objects;
import social.feed.streams.event.EventPlan;
import social.feed.streams.plan.EffectRule;
import social.feed.streams.plan.EffectRule.ChangedAttribute;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.row.RowKind;

/** The records that an event source gives to a lane, derived from the lines of {@link Plan}. */
public final class LaneFilter {
  private LaneFilter() {}

  /**
   * Whether a record may have effects in a lane. A record of an unknown entity type passes, since
   * it must become a dead letter and not vanish.
   */
  public static boolean accepts(Lane lane, DynamodbStreamRecord record) {
    var images = record.getDynamodb();
    var image = images.getNewImage() != null ? images.getNewImage() : images.getOldImage();
    var entity = image == null ? null : image.get(RowKind.ATTRIBUTE);
    if (entity == null || entity.getS() == null) {
      return true;
    }
    return RowKind.named(entity.getS())
        .map(kind -> Plan.rules(kind).stream().anyMatch(rule -> applies(rule, lane, record)))
        .orElse(true);
  }

  /** The same for a plan with events for other systems. */
  public static boolean acceptsWithEvents(Lane lane, DynamodbStreamRecord record) {
    return accepts(lane, record) || (lane == Lane.EFFECTS && EventPlan.concerns(record));
  }

  private static boolean applies(EffectRule rule, Lane lane, DynamodbStreamRecord record) {
    return rule.lane() == lane
        && rule.event().isNamed(record.getEventName())
        && rule.attribute().map(it -> differs(it, record.getDynamodb())).orElse(true);
  }

  private static boolean differs(ChangedAttribute attribute, StreamRecord images) {
    var before = images.getOldImage();
    var after = images.getNewImage();
    return before == null
        || after == null
        || !Objects.equals(before.get(attribute.name()), after.get(attribute.name()));
  }
}
