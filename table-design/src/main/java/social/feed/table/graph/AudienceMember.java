package social.feed.table.graph;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Follow;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A member of an account's audience, as a delivery needs it. It is read from the row's key and two
 * of its times. So a row that lacks other attributes, or has a time that is none, does not block
 * deliveries to other members.
 *
 * @param followerId the follower
 * @param followedAt when the follow or the special follow began, absent where the row lacks it
 * @param since the oldest time of posts that the member must get, absent until a backfill sets it
 */
public record AudienceMember(
    String followerId, @Nullable Instant followedAt, @Nullable Instant since) {
  /** Returns the attributes that a member is read from. */
  static List<String> attributes(Audience audience) {
    return Stream.of(BaseTable.SK, Follow.CREATED_AT, audience.since()).distinct().toList();
  }

  static AudienceMember of(Audience audience, Map<String, AttributeValue> row) {
    var key = row.getOrDefault(BaseTable.SK, AttributeValue.fromS("")).s();
    return new AudienceMember(
        key.substring(audience.prefix().length()),
        time(row, Follow.CREATED_AT),
        time(row, audience.since()));
  }

  private static @Nullable Instant time(Map<String, AttributeValue> row, String attribute) {
    var time = row.get(attribute);
    return time == null ? null : Timestamps.find(time.s()).orElse(null);
  }
}
