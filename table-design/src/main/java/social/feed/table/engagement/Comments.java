package social.feed.table.engagement;

import java.util.Optional;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Comment;
import social.feed.table.row.Keys;

/** Comments. The post's count follows behind the stream. */
public final class Comments {
  private static final RecordSchema<Comment> SCHEMA = RecordSchema.of(Comment.class);

  private final Table table;
  private final PagedQueries lists;
  private final Inserts<Comment> inserts;

  public Comments(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
    this.inserts = new Inserts<>(table, Comment.class);
  }

  /**
   * Adds a comment, once an id. One write unit for up to 1 KB.
   *
   * @return the comment that had this id before, or empty when this one was written
   */
  public Optional<Comment> add(Comment comment) {
    return inserts.putIfAbsent(comment);
  }

  /** A comment, strongly consistent. One read unit. */
  public Optional<Comment> get(String postId, String commentId) {
    return table.get(Comment.key(postId, commentId)).map(SCHEMA::mapToItem);
  }

  /** Comments of a post, oldest first; position is the sort key. */
  @Serves(AccessPattern.FEED_006)
  public Page<Comment> of(String postId, PageRequest request) {
    return lists.ofCollection(
        AccessPattern.FEED_006, Comment.class, Keys.post(postId), Keys.COMMENTS, request);
  }

  /** Deletes a comment; there may be none. One write unit. */
  public void delete(String postId, String commentId) {
    table
        .client()
        .deleteItem(
            d -> d.tableName(table.name()).key(KeyAttributes.of(Comment.key(postId, commentId))));
  }
}
