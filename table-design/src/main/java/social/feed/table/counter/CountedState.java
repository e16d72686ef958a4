package social.feed.table.counter;

import java.util.Map;
import social.feed.table.row.Counted;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What an update of counters goes by, as it was read.
 *
 * @param marks of the item
 * @param followers of an account
 * @param isCelebrity of an account
 */
record CountedState(ShardCheckpoints marks, long followers, boolean isCelebrity) {
  /** An item that was not seen, or a post; what is wrong about it is refused and read then. */
  static final CountedState NEW = new CountedState(ShardCheckpoints.NONE, 0, false);

  static CountedState of(Counted row) {
    var marks = new ShardCheckpoints(row.marks());
    return row instanceof User user
        ? new CountedState(marks, user.followersCount(), user.isCelebrity())
        : new CountedState(marks, 0, false);
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
