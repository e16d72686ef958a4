package social.feed.table.erasure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.engagement.Likes;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.post.Posts;
import social.feed.table.row.Comment;
import social.feed.table.row.Erasure;
import social.feed.table.row.Follow;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds the rows that name an account, a bounded part at a time. */
public final class AccountReferences {
  /** Parts without a match that a walk reads before it notes its progress. */
  private static final int EMPTY_AT_ONCE = 10;

  /** The smallest maximum page of the access patterns that are used. */
  private static final int PAGE = AccessPattern.FEED_002.maxPage();

  private final Table table;
  private final Posts posts;
  private final FollowEdges follows;
  private final Likes likes;
  private final Comments comments;
  private final TableScanner scanner;
  private final int limit;

  /**
   * @param limit the most rows of a part
   */
  public AccountReferences(Table table, Posts posts, FollowEdges follows, int limit) {
    this.table = table;
    this.posts = posts;
    this.follows = follows;
    this.likes = new Likes(table);
    this.comments = new Comments(table);
    this.scanner = new TableScanner(table);
    this.limit = limit;
  }

  /**
   * A part of the result, and where the next part begins.
   *
   * @param rows rows that name the account
   * @param unreadable items that name the account, from which no row can be read
   * @param next the erasure after this part, empty when the step is complete
   */
  public record Found(List<Row> rows, List<Key> unreadable, Optional<Erasure> next) {
    public boolean isNothing() {
      return rows.isEmpty() && unreadable.isEmpty();
    }
  }

  /**
   * Returns the next part of a step. Half a read unit for each 4 KB of an index and one for each
   * row found through it; in a walk one for each 4 KB of the table.
   */
  public Found next(Erasure erasure) {
    var userId = Objects.requireNonNull(erasure.userId());
    return switch (erasure.step()) {
      case POSTS ->
          page(erasure, posts.ofAuthor(userId, request(erasure)), post -> Post.key(post.postId()));
      case FOLLOWING ->
          page(
              erasure,
              follows.following(userId, request(erasure)),
              edge -> Follow.key(edge.followerId(), edge.followeeId()));
      case FOLLOWERS -> followers(erasure, userId);
      case LIKES ->
          page(
              erasure, likes.by(userId, request(erasure)), like -> Like.key(like.postId(), userId));
      case COMMENTS ->
          page(
              erasure,
              comments.by(userId, request(erasure)),
              comment -> Comment.key(comment.postId(), comment.commentId()));
      case WALK -> walk(erasure, userId);
      case RESTING, ERASED -> throw new IllegalStateException("Nothing to find: " + erasure);
    };
  }

  private <R> Found page(Erasure erasure, Page<R> page, Function<R, Key> key) {
    return new Found(
        readable(page.items().stream().map(key).toList()), List.of(), beyond(erasure, page));
  }

  private Found followers(Erasure erasure, String userId) {
    var ids =
        follows.reachAfter(Audience.FOLLOWERS, userId, erasure.afterSort(), limit).stream()
            .map(AudienceMember::followerId)
            .toList();
    return new Found(
        readable(ids.stream().map(id -> Follow.key(id, userId)).toList()),
        List.of(),
        ids.size() < limit ? Optional.empty() : Optional.of(erasure.after(null, ids.getLast())));
  }

  /** The walk finds unreadable items. */
  private List<Row> readable(List<Key> keys) {
    return scanner.at(keys).stream()
        .<Row>mapMulti(
            (item, rows) -> {
              if (item instanceof TableScanner.Stored stored) {
                rows.accept(stored.row());
              }
            })
        .toList();
  }

  private PageRequest request(Erasure erasure) {
    return new PageRequest(Math.min(limit, PAGE), erasure.afterSort());
  }

  private static Optional<Erasure> beyond(Erasure erasure, Page<?> page) {
    return Optional.ofNullable(page.next()).map(position -> erasure.after(null, position));
  }

  private Found walk(Erasure erasure, String userId) {
    var from = start(erasure);
    for (int part = 0; ; part++) {
      var walked = scanner.part(from, limit);
      var rows = new ArrayList<Row>();
      var unreadable = new ArrayList<Key>();
      for (var item : walked.items()) {
        if (namesAccount(item, userId)) {
          switch (item) {
            case TableScanner.Stored stored -> rows.add(stored.row());
            case TableScanner.Unreadable other -> unreadable.add(other.key());
          }
        }
      }
      var end = walked.end();
      from = end;
      if (end == null || !rows.isEmpty() || !unreadable.isEmpty() || part == EMPTY_AT_ONCE) {
        return new Found(
            rows,
            unreadable,
            Optional.ofNullable(end).map(key -> erasure.after(key.partition(), key.sort())));
      }
    }
  }

  private static @Nullable Key start(Erasure erasure) {
    var partition = erasure.afterPartition();
    var sort = erasure.afterSort();
    return partition == null || sort == null ? null : new Key(partition, sort);
  }

  /** Whether an item names an account. One read unit for an unreadable item. */
  public boolean namesAccount(TableScanner.Item item, String userId) {
    return switch (item) {
      case TableScanner.Stored stored -> names(stored.row(), userId);
      case TableScanner.Unreadable other -> names(other, userId);
    };
  }

  /** Whether a row names an account; the stored answer to a request counts too. */
  private static boolean names(Row row, String userId) {
    return row.referencedAccounts().contains(userId)
        || (row instanceof IdempotencyRecord before && before.names(userId));
  }

  /** In an unreadable item every text counts. */
  private boolean names(TableScanner.Unreadable item, String userId) {
    return table.get(item.key()).stream()
        .flatMap(stored -> stored.values().stream())
        .anyMatch(value -> holds(value, userId));
  }

  private static boolean holds(AttributeValue value, String userId) {
    return switch (value.type()) {
      case S -> List.of(value.s().split("#")).contains(userId);
      case SS -> value.ss().contains(userId);
      case L -> value.l().stream().anyMatch(each -> holds(each, userId));
      case M -> value.m().values().stream().anyMatch(each -> holds(each, userId));
      default -> false;
    };
  }
}
