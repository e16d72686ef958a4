package social.feed.table.graph;

import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.SpecialFollower;

/** Reads which follows are special. {@link SpecialFollowWriter} changes it. */
public final class SpecialFollows {
  private static final RecordSchema<SpecialFollower> SCHEMA =
      RecordSchema.of(SpecialFollower.class);

  private final FollowQuotas quotas;
  private final PartitionQueries partitions;

  public SpecialFollows(Table table) {
    this.quotas = new FollowQuotas(table);
    this.partitions = new PartitionQueries(table);
  }

  /**
   * Returns the accounts that a user follows specially, in the order of the marks, strongly
   * consistent. One read unit.
   */
  public List<String> by(String followerId) {
    return quotas.of(followerId).specials();
  }

  /**
   * Returns special followers of an account in the order of their ids, strongly consistent. One
   * read unit for each 4 KB, about thirty of them.
   *
   * @param after the id before the first one, absent for the first page
   * @param limit the most followers
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

  /** As {@link #after}, for the ids between two, both included. */
  public List<SpecialFollower> between(String followeeId, String first, String last) {
    return partitions
        .range(Keys.followee(followeeId), Keys.special(first), Keys.special(last))
        .stream()
        .map(SCHEMA::mapToItem)
        .toList();
  }
}
