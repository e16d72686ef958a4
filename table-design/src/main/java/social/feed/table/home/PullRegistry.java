package social.feed.table.home;

import static social.feed.table.kernel.store.Condition.equal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Keys;
import social.feed.table.row.PulledAuthor;

/**
 * The authors whose posts are pulled. One row an author, whatever the number of followers, so a
 * flip of the celebrity flag costs the same for all.
 */
public final class PullRegistry {
  private static final RecordSchema<PulledAuthor> SCHEMA = RecordSchema.of(PulledAuthor.class);

  private final Table table;
  private final PartitionQueries partitions;

  public PullRegistry(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /**
   * Returns all authors by id, strongly consistent. One read unit for each 4 KB, about 20 authors.
   */
  public List<PulledAuthor> authors() {
    return partitions
        .items(Keys.PULL_REGISTRY, Keys.USERS)
        .flatMap(List::stream)
        .map(SCHEMA::mapToItem)
        .toList();
  }

  /** Returns an author, strongly consistent. One read unit. */
  public Optional<PulledAuthor> get(String authorId) {
    return table.get(PulledAuthor.key(authorId)).map(SCHEMA::mapToItem);
  }

  /**
   * Changes an author's row, and creates it where there is none. One read unit, and one write unit
   * when something changes.
   *
   * @param time of the first pulled post of an author without a row, or earlier
   * @return the row after the change
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public PulledAuthor change(String authorId, Instant time, UnaryOperator<PulledAuthor> change) {
    return table
        .retry()
        .until(
            "Pull registry of " + authorId,
            () -> {
              var stored = get(authorId);
              var before = stored.orElseGet(() -> PulledAuthor.from(authorId, time));
              var after = change.apply(before);
              if (stored.isPresent() && after.equals(before)) {
                return Optional.of(after);
              }
              var unchanged =
                  stored
                      .map(row -> equal(PulledAuthor.REVISION, row.revision()))
                      .orElseGet(Condition::absent);
              return table.put(after.next(), unchanged).isDone()
                  ? Optional.of(after.next())
                  : Optional.empty();
            });
  }
}
