package social.feed.ctl.verify;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.declaration.Index;
import social.feed.table.graph.FollowWrites;
import social.feed.table.row.Counted;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.schema.RowCodec;
import social.feed.table.store.Corrections;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Sets counters to what was counted, while the number and what the stream notes beside it are those
 * that were read before the count. The stream was drained after the count: so whatever the count
 * saw has moved them, or is in them, and whatever it did not see comes on top.
 */
record CounterRepair(Corrections corrections, FollowWrites follows) {
  /** A counter that the stream drives. */
  boolean settle(Row read, String counter, long counted) {
    return corrections.set(
        read.key(),
        attributes(read, List.of(counter, Counted.MARKS)),
        Map.of(counter, number(counted)));
  }

  /** With the place among all accounts, which is made of the number. */
  boolean settleFollowers(User read, long counted) {
    var index = Index.POSTS_BY_AUTHOR;
    var values = new HashMap<>(Map.of(User.FOLLOWERS_COUNT, number(counted)));
    var place = User.standing(read.userId(), counted).get(index);
    if (place != null) {
      values.put(index.partitionKey(), AttributeValue.fromS(place.partition()));
      values.put(index.sortKey(), AttributeValue.fromS(place.sort()));
    }
    return corrections.set(
        read.key(),
        attributes(read, List.of(User.FOLLOWERS_COUNT, Counted.MARKS)),
        values,
        place == null ? List.of(index.partitionKey(), index.sortKey()) : List.of());
  }

  /** The copy of a quota. One that is wrong itself is put right first, and copied by the stream. */
  boolean settleFollowing(User read, long counted) {
    var quota = follows.quota(read.userId());
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
