package social.feed.table.erasure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.export.AccountLists;
import social.feed.table.graph.Audience;
import social.feed.table.graph.AudienceMember;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.Follow;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds the rows that name an account, a bounded part at a time. */
public final class AccountReferences {
  /** The smallest maximum page of the access patterns that are used. */
  private static final int PAGE = AccessPattern.FEED_002.maxPage();

  private final Table table;
  private final AccountLists lists;
  private final FollowEdges follows;
  private final TableScanner scanner;
  private final int limit;

  /**
   * @param limit the most rows of a part
   */
  public AccountReferences(Table table, int limit) {
    this.table = table;
    this.lists = new AccountLists(table);
    this.follows = new FollowEdges(table);
    this.scanner = new TableScanner(table);
    this.limit = limit;
  }

  /**
   * A part of the rows that keys and indexes find, and where the next part begins.
   *
   * @param rows rows that name the account
   * @param next the erasure after this part, empty when the step is complete
   */
  public record Found(List<Row> rows, Optional<Erasure> next) {}

  /**
   * What a part of the table says about an account.
   *
   * @param rows rows that name the account
   * @param unreadable items that name the account, from which no row can be read
   */
  public record Swept(List<Row> rows, List<Key> unreadable) {
    private Swept() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    private void add(TableScanner.Item item) {
      switch (item) {
        case TableScanner.Stored stored -> rows.add(stored.row());
        case TableScanner.Unreadable other -> unreadable.add(other.key());
      }
    }
  }

  /**
   * A part of the table.
   *
   * @param accounts what the part says about accounts, by their ids, without those that it does not
   *     name
   * @param end where the next part begins, absent at the end of the table
   * @param units the read units that the part cost
   */
  public record SweptPart(Map<String, Swept> accounts, @Nullable Key end, double units) {}

  /**
   * Returns the next part of a step. Half a read unit for each 4 KB of an index, one for each row
   * found through it, and one for each 4 KB of the account's own partitions. Nothing that depends
   * on the rows of others.
   */
  public Found next(Erasure erasure) {
    var userId = Objects.requireNonNull(erasure.userId());
    return switch (erasure.step()) {
      case POSTS -> page(erasure, lists.posts(userId, request(erasure)));
      case FOLLOWING -> page(erasure, lists.following(userId, request(erasure)));
      case FOLLOWERS -> followers(erasure, userId);
      case LIKES -> page(erasure, lists.likes(userId, request(erasure)));
      case COMMENTS -> page(erasure, lists.comments(userId, request(erasure)));
      case WALK -> walk(erasure, userId);
      case RESTING, ERASED -> throw new IllegalStateException("Nothing to find: " + erasure);
    };
  }

  private Found page(Erasure erasure, Page<Key> page) {
    return new Found(lists.readable(page.items()), beyond(erasure, page));
  }

  private Found followers(Erasure erasure, String userId) {
    var ids =
        follows.reachAfter(Audience.FOLLOWERS, userId, erasure.afterSort(), limit).stream()
            .map(AudienceMember::followerId)
            .toList();
    return new Found(
        lists.readable(ids.stream().map(id -> Follow.key(id, userId)).toList()),
        ids.size() < limit ? Optional.empty() : Optional.of(erasure.after(null, ids.getLast())));
  }

  private PageRequest request(Erasure erasure) {
    return new PageRequest(Math.min(limit, PAGE), erasure.afterSort());
  }

  private static Optional<Erasure> beyond(Erasure erasure, Page<?> page) {
    return Optional.ofNullable(page.next()).map(position -> erasure.after(null, position));
  }

  /** The partitions of an account, one after the other. Each has its own order. */
  private Found walk(Erasure erasure, String userId) {
    var partitions =
        List.of(Keys.user(userId), Keys.followee(userId), Keys.mediaOf(userId), Keys.feed(userId));
    int index =
        Math.max(0, partitions.indexOf(Objects.requireNonNullElse(erasure.afterPartition(), "")));
    var partition = partitions.get(index);
    var after =
        partition.equals(erasure.afterPartition())
            ? Objects.requireNonNullElse(erasure.afterSort(), Keys.FIRST)
            : Keys.FIRST;
    boolean isLast = index == partitions.size() - 1;
    var part =
        isLast
            ? feed(partition, after)
            : partition.equals(Keys.mediaOf(userId))
                ? media(partition, after)
                : own(partition, after, userId);
    if (part.end != null) {
      return new Found(part.rows, Optional.of(erasure.after(partition, part.end)));
    }
    return isLast
        ? new Found(part.rows, Optional.empty())
        : new Found(part.rows, Optional.of(erasure.after(partitions.get(index + 1), Keys.FIRST)));
  }

  /** Rows of one partition, and where the next begin; absent at the end. */
  private record Part(List<Row> rows, @Nullable String end) {}

  private Part own(String partition, String after, String userId) {
    var part = scanner.part(partition, after, limit);
    var rows = new ArrayList<>(AccountLists.readable(part.items()));
    // A notification of a mention leads to the post of another account.
    var mentioning =
        rows.stream()
            .filter(Notification.class::isInstance)
            .map(Notification.class::cast)
            .filter(notification -> notification.type() == NotificationType.MENTION)
            .flatMap(notification -> Stream.ofNullable(notification.postId()))
            .map(Post::key)
            .distinct()
            .toList();
    rows.addAll(lists.readable(mentioning));
    rows.removeIf(row -> !row.referencedAccounts().contains(userId));
    var end = part.end();
    return new Part(rows, end == null ? null : end.sort());
  }

  private Part media(String partition, String after) {
    var keys = scanner.keys(Index.POSTS_BY_AUTHOR, partition, after, limit);
    return new Part(
        lists.readable(keys.values()), keys.size() == limit ? keys.lastEntry().getKey() : null);
  }

  private Part feed(String partition, String after) {
    var keys = scanner.keys(Index.FEED_BY_USER, partition, after, limit);
    var rows = new ArrayList<>(lists.readable(keys.values()));
    if (keys.size() == limit) {
      return new Part(rows, keys.lastEntry().getKey());
    }
    rows.addAll(
        lists.readable(List.of(PulledAuthor.key(partition.substring(Keys.FEEDS.length())))));
    return new Part(rows, null);
  }

  /**
   * Returns a part of the table and what it says about some accounts. One read unit for each 4 KB,
   * and one for each item from which no row can be read.
   *
   * @param after the end of the part before, absent for the first
   * @param userIds the accounts
   */
  public SweptPart swept(@Nullable Key after, Set<String> userIds) {
    var part = scanner.part(after, limit);
    var accounts = new HashMap<String, Swept>();
    for (var item : part.items()) {
      for (var named : named(item)) {
        if (userIds.contains(named)) {
          accounts.computeIfAbsent(named, _ -> new Swept()).add(item);
        }
      }
    }
    return new SweptPart(accounts, part.end(), part.units());
  }

  /**
   * Returns the accounts that an item names, and possibly other words. One read unit for an
   * unreadable item.
   */
  public Set<String> named(TableScanner.Item item) {
    return switch (item) {
      case TableScanner.Stored stored -> named(stored.row());
      // Every text of an unreadable item counts.
      case TableScanner.Unreadable other ->
          table.get(other.key()).stream()
              .flatMap(stored -> stored.values().stream())
              .flatMap(AccountReferences::words)
              .collect(Collectors.toSet());
    };
  }

  /** The stored answer to a request names accounts too. */
  private static Set<String> named(Row row) {
    if (row instanceof IdempotencyRecord before) {
      var ids = new HashSet<>(before.respondedIds());
      ids.addAll(row.referencedAccounts());
      return ids;
    }
    return row.referencedAccounts();
  }

  private static Stream<String> words(AttributeValue value) {
    return switch (value.type()) {
      case S -> Stream.of(value.s().split("#"));
      case SS -> value.ss().stream();
      case L -> value.l().stream().flatMap(AccountReferences::words);
      case M -> value.m().values().stream().flatMap(AccountReferences::words);
      default -> Stream.empty();
    };
  }
}
