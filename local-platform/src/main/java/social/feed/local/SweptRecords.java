package social.feed.local;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import java.util.HashMap;

/** Converts deletions by the {@link ExpirySweep} to removals by DynamoDB's time to live. */
final class SweptRecords {
  private static final String REMOVE = "REMOVE";

  private SweptRecords() {}

  /** Returns the event, in which removals by the sweep have the identity of the service. */
  static DynamodbTimeWindowEvent attributed(DynamodbTimeWindowEvent event) {
    if (event.getRecords() != null) {
      event.getRecords().forEach(SweptRecords::attribute);
    }
    return event;
  }

  private static void attribute(DynamodbStreamRecord record) {
    var last = record.getDynamodb().getOldImage();
    if (REMOVE.equals(record.getEventName())
        && last != null
        && last.containsKey(ExpirySweep.MARK)) {
      var image = new HashMap<>(last);
      image.remove(ExpirySweep.MARK);
      record.getDynamodb().setOldImage(image);
      record.setUserIdentity(
          new Identity().withType("Service").withPrincipalId("dynamodb.amazonaws.com"));
    }
  }
}
