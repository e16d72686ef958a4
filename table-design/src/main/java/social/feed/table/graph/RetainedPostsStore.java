package social.feed.table.graph;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.RetainedPosts;

/**
 * Reads which former followers retain an author's posts in their feeds. {@link FollowWriter}
 * changes it.
 */
public final class RetainedPostsStore {
  private static final RecordSchema<RetainedPosts> SCHEMA = RecordSchema.of(RetainedPosts.class);

  private final Table table;
  private final PartitionQueries partitions;

  public RetainedPostsStore(Table table) {
    this.table = table;
    this.partitions = new PartitionQueries(table);
  }

  /** Whether a reader retains an author's posts, strongly consistent. One read unit. */
  public boolean keeps(String readerId, String authorId) {
    return of(readerId, authorId).isPresent();
  }

  /** Returns what a reader retains of an author, strongly consistent. One read unit. */
  public Optional<RetainedPosts> of(String readerId, String authorId) {
    return table.get(RetainedPosts.key(readerId, authorId)).map(SCHEMA::mapToItem);
  }

  /** Returns what a reader retains of some authors, strongly consistent. One read unit each. */
  public List<RetainedPosts> of(String readerId, Collection<String> authorIds) {
    return among(authorIds.stream().map(id -> RetainedPosts.key(readerId, id)).toList());
  }

  /**
   * Returns all that a reader retains, strongly consistent. One read unit for each 4 KB, some 20 of
   * at most 1 000 authors.
   */
  public List<RetainedPosts> of(String readerId) {
    return partitions
        .items(Keys.user(readerId), Keys.KEPT)
        .flatMap(List::stream)
        .map(SCHEMA::mapToItem)
        .toList();
  }

  /**
   * Returns the readers among some who retain an author's post of a time, strongly consistent. One
   * read unit each.
   */
  public Set<String> keepers(Collection<String> readerIds, String authorId, Instant createdAt) {
    return among(readerIds.stream().map(id -> RetainedPosts.key(id, authorId)).toList()).stream()
        .filter(retained -> retained.covers(createdAt))
        .map(RetainedPosts::readerId)
        .collect(Collectors.toSet());
  }

  /** Returns the rows at some keys, strongly consistent. One read unit each. */
  public List<RetainedPosts> among(Collection<Key> keys) {
    return table.getAll(keys, true).stream().map(RetainedPosts.class::cast).toList();
  }
}
