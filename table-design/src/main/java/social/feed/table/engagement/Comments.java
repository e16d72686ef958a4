package social.feed.table.engagement;

import static social.feed.table.kernel.store.Condition.absent;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Comment;
import social.feed.table.row.CommentRef;
import social.feed.table.row.EngagementKey;
import social.feed.table.row.Keys;

/** Comments. The stream updates the post's count after them. */
public final class Comments {
  private static final RecordSchema<Comment> SCHEMA = RecordSchema.of(Comment.class);

  private final Table table;
  private final PagedQueries lists;

  public Comments(Table table) {
    this.table = table;
    this.lists = new PagedQueries(table);
  }

  /**
   * Adds a comment unless its id exists. Two write units for up to 1 KB, item and GSI2.
   *
   * @return the comment that has this id already, empty when this one was written
   */
  public Optional<Comment> add(Comment comment) {
    return table
        .put(comment, absent().returningItem())
        .existing(comment.key())
        .map(SCHEMA::mapToItem);
  }

  /** Returns a comment, strongly consistent. One read unit. */
  public Optional<Comment> get(String postId, String commentId) {
    return table.get(Comment.key(postId, commentId)).map(SCHEMA::mapToItem);
  }

  /** Returns comments of a post, oldest first. Position is the sort key. */
  @Serves(AccessPattern.FEED_006)
  public Page<Comment> of(String postId, PageRequest request) {
    return lists.ofCollection(
        AccessPattern.FEED_006, Comment.class, Keys.post(postId), Keys.COMMENTS, request);
  }

  /**
   * Returns the comments of an account, newest first. The sort key in GSI2 is the position and
   * names the comment.
   */
  @Serves(AccessPattern.FEED_017)
  public Page<CommentRef> by(String userId, PageRequest request) {
    return lists
        .ofIndex(AccessPattern.FEED_017, EngagementKey.class, Keys.commenter(userId), request)
        .fromPositions(CommentRef::at);
  }

  /** Returns comments that exist, eventually consistent. Half a read unit each. */
  public List<Comment> getAll(Collection<CommentRef> references) {
    return table
        .getAll(
            references.stream().map(ref -> Comment.key(ref.postId(), ref.commentId())).toList(),
            false)
        .stream()
        .map(Comment.class::cast)
        .toList();
  }

  /** Deletes a comment; there may be none. Two write units, item and GSI2. */
  public void delete(String postId, String commentId) {
    table.delete(Comment.key(postId, commentId));
  }
}
