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
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Keys;
import social.feed.table.row.PullRevision;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.RowKind;
import social.feed.table.row.User;

/**
 * The authors whose posts are pulled. One row an author, whatever the number of followers, so a
 * flip of the celebrity flag costs the same for all.
 */
public final class PullRegistry {
  private static final RecordSchema<PulledAuthor> SCHEMA = RecordSchema.of(PulledAuthor.class);
  private static final RecordSchema<PullRevision> REVISION = RecordSchema.of(PullRevision.class);

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
   * Returns the revision of the registry, eventually consistent. Half a read unit. Rows that are
   * read strongly consistent afterwards show every change that raised it.
   */
  public long revision() {
    return table.itemsAt(List.of(PullRevision.KEY), false).stream()
        .map(REVISION::mapToItem)
        .mapToLong(PullRevision::revision)
        .findFirst()
        .orElse(0);
  }

  /**
   * Changes an author's row, and creates it where there is none. One read unit, and one write unit
   * when something changes; another one raises the revision when the period changes. A process that
   * ends between the two writes leaves a change that readers see a few minutes later.
   *
   * @param time of the first pulled post of an author without a row, or earlier
   * @return the row after the change
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public PulledAuthor change(String authorId, Instant time, UnaryOperator<PulledAuthor> change) {
    var written = write(authorId, time, change);
    if (written.isOtherPeriod()) {
      raise();
    }
    return written.row();
  }

  /**
   * Notes a change of an author's flag. One read unit and two write units. Until the change is
   * published, each retry raises the revision again, because an earlier attempt may have ended
   * before that.
   *
   * @param version version of the flag, as {@link PulledAuthor#flagVersion}
   * @return the row after the change
   * @throws ThrottledException when concurrent writes keep changing the same row
   */
  public PulledAuthor flip(String authorId, boolean isCelebrity, long version, Instant now) {
    var row = write(authorId, now, before -> before.flipped(isCelebrity, version, now)).row();
    if (row.publishedVersion() < version) {
      raise();
    }
    return row;
  }

  private void raise() {
    table.update(
        PullRevision.KEY,
        new Update()
            .set(RowKind.ATTRIBUTE, RowKind.PULL_REVISION.name())
            .increment(PullRevision.REVISION),
        Condition.none());
  }

  /** A row after a change, and whether readers see another period. */
  private record Written(PulledAuthor row, boolean isOtherPeriod) {}

  private Written write(String authorId, Instant time, UnaryOperator<PulledAuthor> change) {
    return table
        .retry()
        .until(
            "Pull registry of " + User.key(authorId),
            () -> {
              var stored = get(authorId);
              var before = stored.orElseGet(() -> PulledAuthor.from(authorId, time));
              var after = change.apply(before);
              if (stored.isPresent() && after.equals(before)) {
                return Optional.of(new Written(after, false));
              }
              var unchanged =
                  stored
                      .map(row -> equal(PulledAuthor.REVISION, row.revision()))
                      .orElseGet(Condition::absent);
              boolean isOtherPeriod = stored.isEmpty() || !after.isPulledLike(before);
              return table.put(after.next(), unchanged).isDone()
                  ? Optional.of(new Written(after.next(), isOtherPeriod))
                  : Optional.empty();
            });
  }
}
