package social.feed.table.export;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.Follow;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;

/**
 * Reads all rows about one user through keys and indexes, with one page in memory at a time. Reads
 * no row of another user. Unreadable rows are skipped; {@code verify} reports them.
 */
public final class AccountData {
  private final Posts posts;
  private final FollowEdges follows;
  private final Likes likes;
  private final Comments comments;
  private final PartitionQueries partitions;
  private final TableScanner scanner;

  public AccountData(Table table) {
    this.posts = new Posts(table);
    this.follows = new FollowEdges(table);
    this.likes = new Likes(table);
    this.comments = new Comments(table);
    this.partitions = new PartitionQueries(table);
    this.scanner = new TableScanner(table);
  }

  /**
   * Returns the rows of a user, each once, a page at a time. The caller decides which of them the
   * user may see. One read unit a row of up to 4 KB, and half a unit for each 4 KB of the indexes
   * that find the rows.
   */
  public Iterator<List<Row>> of(String userId) {
    return new SequentialPages(
        List.<Function<String, Stream<List<Row>>>>of(
                this::partition,
                this::posts,
                this::following,
                this::followers,
                this::likes,
                this::comments)
            .stream()
            .<Supplier<Stream<List<Row>>>>map(source -> () -> source.apply(userId))
            .iterator());
  }

  /**
   * The pages of several sources. A flat map of streams would read a whole source before its first
   * page.
   */
  private static final class SequentialPages implements Iterator<List<Row>> {
    private final Iterator<Supplier<Stream<List<Row>>>> sources;
    private Iterator<List<Row>> current = Collections.emptyIterator();

    private SequentialPages(Iterator<Supplier<Stream<List<Row>>>> sources) {
      this.sources = sources;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && sources.hasNext()) {
        current = sources.next().get().iterator();
      }
      return current.hasNext();
    }

    @Override
    public List<Row> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("All pages were read");
      }
      return current.next();
    }
  }

  /**
   * Returns the rows in the user's own partition: the profile and all lists that only this user
   * has.
   */
  private Stream<List<Row>> partition(String userId) {
    return partitions.keys(Keys.user(userId)).map(this::readable);
  }

  private Stream<List<Row>> posts(String userId) {
    return pages(
        request -> posts.ofAuthor(userId, request),
        ref -> Post.key(ref.postId()),
        AccessPattern.FEED_002);
  }

  private Stream<List<Row>> following(String userId) {
    return pages(
        request -> follows.following(userId, request),
        ref -> Follow.key(ref.followerId(), ref.followeeId()),
        AccessPattern.FEED_011);
  }

  private Stream<List<Row>> followers(String userId) {
    return partitions.keys(Keys.followee(userId), Keys.FOLLOWERS).map(this::readable);
  }

  private Stream<List<Row>> likes(String userId) {
    return pages(
        request -> likes.by(userId, request),
        like -> Like.key(like.postId(), userId),
        AccessPattern.FEED_016);
  }

  private Stream<List<Row>> comments(String userId) {
    return pages(
        request -> comments.by(userId, request),
        comment -> Comment.key(comment.postId(), comment.commentId()),
        AccessPattern.FEED_017);
  }

  private <R> Stream<List<Row>> pages(
      Function<PageRequest, Page<R>> list, Function<R, Key> key, AccessPattern pattern) {
    return Page.all(pattern.maxPage(), list)
        .map(page -> readable(page.items().stream().map(key).toList()));
  }

  private List<Row> readable(List<Key> keys) {
    return scanner.at(keys).stream().map(AccountData::row).flatMap(Stream::ofNullable).toList();
  }

  private static @Nullable Row row(TableScanner.Item item) {
    return item instanceof TableScanner.Stored stored ? stored.row() : null;
  }
}
