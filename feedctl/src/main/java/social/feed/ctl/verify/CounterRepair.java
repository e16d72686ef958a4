package social.feed.ctl.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import social.feed.table.counter.CounterRecounts;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.kernel.store.ConditionalWrites;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sets counters to what was counted, while the number and what the stream notes beside it are those
 * that were read before the count. The stream was drained after the count: so whatever the count
 * saw has moved them, or is in them, and whatever it did not see comes on top.
 */
record CounterRepair(CounterRecounts recounts, ConditionalWrites corrections, FollowQuotas quotas) {
  /** A counter that the stream drives. */
  boolean settle(Row read, String counter, long counted) {
    return recounts.set(read, counter, counted);
  }

  /**
   * The number of posts, which no mark covers: it is counted once more after the stream was
   * drained.
   */
  boolean settlePosts(User read, long counted, ToLongFunction<User> count) {
    var leftOut = recounts.leftOut(read.key());
    return count.applyAsLong(read) == counted && recounts.setPosts(read, counted, leftOut);
  }

  /** The copy of a quota. One that is wrong itself is put right first, and copied by the stream. */
  boolean settleFollowing(User read, long counted) {
    var quota = quotas.of(read.userId());
    return quota.following() == counted
        && corrections.set(
            read.key(),
            attributes(read, List.of(User.FOLLOWING_COUNT, User.FOLLOWING_VERSION)),
            Map.of(
                User.FOLLOWING_COUNT, number(counted),
                User.FOLLOWING_VERSION, number(quota.version())));
  }

  private static Map<String, AttributeValue> attributes(Row row, List<String> names) {
    var attributes = new LinkedHashMap<>(RowCodec.encode(row));
    attributes.keySet().retainAll(names);
    return attributes;
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
