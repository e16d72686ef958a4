package social.feed.table.graph;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.RetainedPosts;

/**
 * Which former followers keep what their feeds hold of an author. {@link FollowWriter} notes it.
 */
public final class RetainedPostsStore {
  private static final RecordSchema<RetainedPosts> SCHEMA = RecordSchema.of(RetainedPosts.class);

  private final Table table;

  public RetainedPostsStore(Table table) {
    this.table = table;
  }

  /** Whether a reader keeps an author's posts, strongly consistent. One read unit. */
  public boolean keeps(String readerId, String authorId) {
    return of(readerId, authorId).isPresent();
  }

  /** What a reader keeps of an author, strongly consistent. One read unit. */
  public Optional<RetainedPosts> of(String readerId, String authorId) {
    return table.get(RetainedPosts.key(readerId, authorId)).map(SCHEMA::mapToItem);
  }

  /** What a reader keeps of some authors, strongly consistent. One read unit each. */
  public List<RetainedPosts> of(String readerId, Collection<String> authorIds) {
    return among(authorIds.stream().map(id -> RetainedPosts.key(readerId, id)).toList());
  }

  /**
   * Who of some readers keeps an author's post of a time, strongly consistent. One read unit each.
   */
  public Set<String> keepers(Collection<String> readerIds, String authorId, Instant createdAt) {
    return among(readerIds.stream().map(id -> RetainedPosts.key(id, authorId)).toList()).stream()
        .filter(kept -> kept.covers(createdAt))
        .map(RetainedPosts::readerId)
        .collect(Collectors.toSet());
  }

  /** The histories at some keys, strongly consistent. One read unit each. */
  public List<RetainedPosts> among(Collection<Key> keys) {
    return table.getAll(keys, true).stream().map(RetainedPosts.class::cast).toList();
  }
}
