package social.feed.table.counter;

import java.util.Map;
import social.feed.table.row.Counted;
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
  /** The state of an item that the read did not see. A wrong guess fails the condition. */
  static final CountedState NEW = new CountedState(ShardCheckpoints.NONE, 0, false);

  static CountedState of(Counted row) {
    var checkpoints = new ShardCheckpoints(row.marks());
    return row instanceof User user
        ? new CountedState(checkpoints, user.followersCount(), user.isCelebrity())
        : new CountedState(checkpoints, 0, false);
  }

  static CountedState of(Map<String, AttributeValue> item) {
    var followers = item.get(User.FOLLOWERS_COUNT);
    var flag = item.get(User.IS_CELEBRITY);
    return new CountedState(
        ShardCheckpoints.of(item),
        followers == null ? 0 : Long.parseLong(followers.n()),
        flag != null && flag.bool());
  }
}
