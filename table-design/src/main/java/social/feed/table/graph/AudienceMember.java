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
 * A member of an account's audience, as a delivery needs it. It is read from the edge's key and two
 * of its times. So an edge that lacks other attributes does not block deliveries to other members.
 *
 * @param followerId the follower
 * @param followedAt when the follow began, absent where the edge lacks it
 * @param feedSince the oldest time of the followee's posts that the follower's feed must hold,
 *     absent until the backfill sets it
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
