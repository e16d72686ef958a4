package social.feed.table.graph;

import static social.feed.table.kernel.store.Condition.sameVersion;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FollowQuota;

/**
 * Reads follow quotas. Every writer of edges and mutes changes the quota of their owner with its
 * rows, and {@link BlockWriter} says what a block changes.
 */
public final class FollowQuotas {
  private static final RecordSchema<FollowQuota> SCHEMA = RecordSchema.of(FollowQuota.class);

  private final Table table;

  public FollowQuotas(Table table) {
    this.table = table;
  }

  /**
   * Returns the quota of a user, with the exact number of followed accounts. Strongly consistent.
   * One read unit.
   */
  public FollowQuota of(String userId) {
    return table
        .get(FollowQuota.key(userId))
        .map(SCHEMA::mapToItem)
        .orElseGet(() -> FollowQuota.none(userId));
  }

  /** Returns the quotas of some users, in their order. Strongly consistent. One read unit each. */
  public List<FollowQuota> of(Collection<String> userIds) {
    var stored =
        table.getAll(userIds.stream().map(FollowQuota::key).toList(), true).stream()
            .map(FollowQuota.class::cast)
            .collect(Collectors.toMap(FollowQuota::userId, quota -> quota));
    return userIds.stream().map(id -> stored.getOrDefault(id, FollowQuota.none(id))).toList();
  }

  /** Holds while a quota still has the version that was read. */
  static Condition unchanged(FollowQuota read) {
    return sameVersion(FollowQuota.VERSION, read.version());
  }
}
