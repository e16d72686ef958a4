package social.feed.table.counter;

import java.util.List;
import java.util.Map;
import social.feed.table.row.Key;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The state of an item that an update of its counters depends on, as it was read.
 *
 * @param checkpoints of the item
 * @param followers of an account
 * @param isCelebrity of an account
 */
record CountedState(ShardCheckpoints checkpoints, long followers, boolean isCelebrity) {
  /** Returns the state of an item, which may lack attributes; an empty one was not read. */
  static CountedState of(Map<String, AttributeValue> item) {
    var followers = item.get(User.FOLLOWERS_COUNT);
    var flag = item.get(User.IS_CELEBRITY);
    return new CountedState(
        ShardCheckpoints.of(item),
        followers == null ? 0 : Long.parseLong(followers.n()),
        flag != null && flag.bool());
  }

  /**
   * Requires that an item has the counters of some changes.
   *
   * @throws IllegalStateException otherwise: no repetition of the write could succeed
   */
  static void requireCounters(
      Key key, Map<String, AttributeValue> item, List<CountChange> changes) {
    for (var change : changes) {
      if (!item.containsKey(change.attribute())) {
        throw new IllegalStateException(key + " lacks " + change.attribute());
      }
    }
  }
}
