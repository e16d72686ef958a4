package social.feed.table.graph;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A member of an account's audience, as a delivery needs to know it. It is read from the edge's key
 * and one note, so an edge that lacks something else keeps no post from those beside it.
 *
 * @param followerId who follows
 * @param followedAt since when, absent where that cannot be read
 * @param feedSince the oldest time of the followee's posts that the follower's feed must hold,
 *     absent while that is not settled
 */
public record AudienceMember(
    String followerId, @Nullable Instant followedAt, @Nullable Instant feedSince) {
  static AudienceMember of(Map<String, AttributeValue> edge) {
    var key = edge.getOrDefault(BaseTable.SK, AttributeValue.fromS("")).s();
    return new AudienceMember(
        key.substring(Keys.FOLLOWERS.length()),
        time(edge, Follow.CREATED_AT),
        time(edge, Follow.FEED_SINCE));
  }

  private static @Nullable Instant time(Map<String, AttributeValue> edge, String attribute) {
    var time = edge.get(attribute);
    return time == null ? null : Timestamps.parse(time.s());
  }
}
