package social.feed.table.export;

import java.util.Collection;
import java.util.List;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.media.MediaFiles;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Post;
import social.feed.table.row.Row;

/**
 * The rows of an account that lie in other partitions and that indexes list. A page has the keys of
 * the rows. Half a read unit for each 4 KB of the index.
 */
public final class AccountLists {
  private final Posts posts;
  private final FollowEdges follows;
  private final Likes likes;
  private final Comments comments;
  private final MediaFiles media;
  private final TableScanner scanner;

  public AccountLists(Table table) {
    this.posts = new Posts(table);
    this.follows = new FollowEdges(table);
    this.likes = new Likes(table);
    this.comments = new Comments(table);
    this.media = new MediaFiles(table);
    this.scanner = new TableScanner(table);
  }

  /** Returns posts of an account. */
  public Page<Key> posts(String userId, PageRequest request) {
    return posts.ofAuthor(userId, request).with(post -> Post.key(post.postId()));
  }

  /** Returns edges to the accounts that an account follows. */
  public Page<Key> following(String userId, PageRequest request) {
    return follows
        .following(userId, request)
        .with(edge -> Follow.key(edge.followerId(), edge.followeeId()));
  }

  /** Returns likes by an account. */
  public Page<Key> likes(String userId, PageRequest request) {
    return likes.by(userId, request).with(like -> Like.key(like.postId(), userId));
  }

  /** Returns comments by an account. */
  public Page<Key> comments(String userId, PageRequest request) {
    return comments
        .by(userId, request)
        .with(comment -> Comment.key(comment.postId(), comment.commentId()));
  }

  /** Returns files of an account. */
  public Page<Key> media(String userId, PageRequest request) {
    return media.of(userId, request).with(file -> Media.key(file.mediaId()));
  }

  /**
   * Returns the rows at some keys, strongly consistent, without unreadable ones. One unit a row.
   */
  public List<Row> readable(Collection<Key> keys) {
    return readable(scanner.at(keys));
  }

  /** Returns the rows of items, without unreadable ones. */
  public static List<Row> readable(List<TableScanner.Item> items) {
    return items.stream()
        .<Row>mapMulti(
            (item, rows) -> {
              if (item instanceof TableScanner.Stored stored) {
                rows.accept(stored.row());
              }
            })
        .toList();
  }
}
