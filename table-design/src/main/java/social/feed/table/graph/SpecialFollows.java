package social.feed.table.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.Keys;
import social.feed.table.row.SpecialFollower;

/** Who follows an account specially; {@link SpecialFollowWriter} changes it. */
public final class SpecialFollows {
  private static final RecordSchema<SpecialFollower> SCHEMA =
      RecordSchema.of(SpecialFollower.class);

  private static final RecordSchema<FollowQuota> QUOTA = RecordSchema.of(FollowQuota.class);

  private final Table table;
  private final PartitionQueries partitions;

  public SpecialFollows(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /**
   * Whom a user follows specially, in the order in which that was said, strongly consistent. One
   * read unit.
   */
  public List<String> by(String followerId) {
    return table
        .get(FollowQuota.key(followerId))
        .map(QUOTA::mapToItem)
        .map(FollowQuota::specials)
        .orElse(List.of());
  }

  /**
   * Who follows an account specially, of those whose ids come after one, in the order of ids; up to
   * so many, strongly consistent. One read unit for each 4 KB, some thirty of them.
   */
  public List<SpecialFollower> after(String followeeId, @Nullable String after, int limit) {
    return partitions
        .after(
            Keys.followee(followeeId),
            Keys.SPECIALS,
            after == null ? null : Keys.special(after),
            limit)
        .stream()
        .map(SCHEMA::mapToItem)
        .toList();
  }

  /** The same of those whose ids lie between two, both included. */
  public List<SpecialFollower> between(String followeeId, String first, String last) {
    return partitions
        .range(Keys.followee(followeeId), Keys.special(first), Keys.special(last))
        .stream()
        .map(SCHEMA::mapToItem)
        .toList();
  }
}
