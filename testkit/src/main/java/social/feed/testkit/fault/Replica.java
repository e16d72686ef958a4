package social.feed.testkit.fault;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import social.feed.table.row.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The states of the table that an eventually consistent read may return, item by item. */
public interface Replica {
  /** A replica for fault mixes without stale reads; its use is an error. */
  Replica NONE =
      new Replica() {
        @Override
        public Set<Key> changed() {
          throw new IllegalStateException("Stale reads need a replica");
        }

        @Override
        public List<Optional<Map<String, AttributeValue>>> states(Key key) {
          throw new IllegalStateException("Stale reads need a replica");
        }
      };

  /** Returns the keys of the items that changed so recently that a read may return an old state. */
  Set<Key> changed();

  /**
   * Returns the states of a changed item that a read may return; empty ones are those without an
   * item.
   */
  List<Optional<Map<String, AttributeValue>>> states(Key key);

  /** Returns the replica that queries of indexes see. */
  default Replica ofIndexes() {
    return this;
  }
}
