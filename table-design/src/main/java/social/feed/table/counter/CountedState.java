package social.feed.table.counter;

import java.util.List;
import java.util.Map;
import social.feed.table.row.Key;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The state of an item that an update of its counters depends on, as it was read.
 *
 * @param checkpoints of the item
 * @param followers of an account
 * @param isCelebrity of an account
 * @param likes of a post
 * @param spreadsLikes whether the likes of a post are spread
 */
record CountedState(
    ShardCheckpoints checkpoints,
    long followers,
    boolean isCelebrity,
    long likes,
    boolean spreadsLikes) {
  /** Returns the state of an item, which may lack attributes; an empty one was not read. */
  static CountedState of(Map<String, AttributeValue> item) {
    var flag = item.get(User.IS_CELEBRITY);
    return new CountedState(
        ShardCheckpoints.of(item),
        number(item, User.FOLLOWERS_COUNT),
        flag != null && flag.bool(),
        number(item, Post.LIKES_COUNT),
        item.containsKey(Post.LIKE_BUCKETS));
  }

  private static long number(Map<String, AttributeValue> item, String attribute) {
    var value = item.get(attribute);
    return value == null ? 0 : Long.parseLong(value.n());
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
