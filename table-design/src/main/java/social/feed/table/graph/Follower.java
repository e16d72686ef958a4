package social.feed.table.graph;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.declaration.BaseTable;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.time.Timestamps;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A member of an account's audience, as a delivery needs to know it. It is read from the edge's key
 * and one note, so an edge that lacks something else keeps no post from those beside it.
 *
 * @param followerId who follows
 * @param feedSince the oldest time of the followee's posts that the follower's feed must hold,
 *     absent while that is not settled
 */
public record Follower(String followerId, @Nullable Instant feedSince) {
  static Follower of(Map<String, AttributeValue> edge) {
    var key = edge.getOrDefault(BaseTable.SK, AttributeValue.fromS("")).s();
    return new Follower(key.substring(Keys.FOLLOWERS.length()), feedSince(edge));
  }

  private static @Nullable Instant feedSince(Map<String, AttributeValue> edge) {
    var since = edge.get(Follow.FEED_SINCE);
    return since == null ? null : Timestamps.parse(since.s());
  }
}
