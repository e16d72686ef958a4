package social.feed.testkit.fault;

import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A copy of the table that is behind: what an eventually consistent read may see. */
@FunctionalInterface
public interface Replica {
  /** A replica that never answers, so that nothing is stale. */
  Replica NONE =
      new Replica() {
        @Override
        public Optional<Map<String, AttributeValue>> at(Map<String, AttributeValue> key) {
          throw new IllegalStateException("Stale reads need a replica");
        }
      };

  /** The item at a key, as it was. */
  Optional<Map<String, AttributeValue>> at(Map<String, AttributeValue> key);
}
