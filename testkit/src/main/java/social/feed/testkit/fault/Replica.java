package social.feed.testkit.fault;

import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A delayed copy of the table: the state that an eventually consistent read may return. */
@FunctionalInterface
public interface Replica {
  /** A replica for fault mixes without stale reads; its use is an error. */
  Replica NONE =
      new Replica() {
        @Override
        public Optional<Map<String, AttributeValue>> at(Map<String, AttributeValue> key) {
          throw new IllegalStateException("Stale reads need a replica");
        }
      };

  /** Returns the delayed state of an item. */
  Optional<Map<String, AttributeValue>> at(Map<String, AttributeValue> key);
}
