package social.feed.table.erasure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
import social.feed.table.row.Block;
import social.feed.table.row.BlockedBy;
import social.feed.table.row.Erasure;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Follow;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.Post;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.SpecialFollower;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds the rows that name an account, a bounded part at a time. */
public final class AccountReferences {
  /** The smallest maximum page of the access patterns that are used. */
  private static final int PAGE = AccessPattern.FEED_002.maxPage();

  /** The estimated request units after which a part ends, with what it causes behind the stream. */
  public static final double UNITS = 5_000;

  /**
   * The most follow edges to the account that a part removes. Each takes three calls, and some
   * edges are removed at once.
   */
  private static final int FOLLOWERS = 128;

  /** The most edges from the account, one after the other, because all of them change its quota. */
  private static final int FOLLOWED = 10;

  /** The most rows of the account's partitions that a part removes, 25 with a call. */
  private static final int ROWS = 500;

  /** The most of those rows that may need calls of their own. */
  private static final int OWN_CALLS = 200;

  /** From so many followers on, the special ones are counted. */
  private static final int MANY = 500;

  /** Special followers in half a read unit. */
  private static final double COUNTED = 20;

  private final Table table;
  private final AccountLists lists;
  private final FollowEdges follows;
  private final TableScanner scanner;
  private final int limit;
  private final long pushedTo;

  /**
   * Creates the reader of an account's rows.
   *
   * @param limit the most rows of a part
   * @param pushedTo the most followers that have a post in their feeds; an account may have more
   *     when it is erased than when it posted
   */
  public AccountReferences(Table table, int limit, long pushedTo) {
    this.pushedTo = pushedTo;
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
   * @param units an estimate of the request units of their removal, with what it causes behind the
   *     stream
   */
  public record Found(List<Row> rows, Optional<Erasure> next, double units) {}

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
   * on the rows of others. Of posts, it has as many as cost {@link #UNITS} together to remove, at
   * least one; where the account has 500 followers or more, the special ones are counted for that,
   * half a unit for twenty of them.
   */
  public Found next(Erasure erasure, Instant now) {
    var userId = Objects.requireNonNull(erasure.userId());
    long pushed = Math.min(erasure.audience(), pushedTo);
    var units = new RemovalUnits(userId, pushed, 0, FeedEntry.expired(now));
    return switch (erasure.step()) {
      case POSTS -> posts(erasure, userId, units);
      case FOLLOWING -> page(erasure, lists.following(userId, request(erasure, FOLLOWED)), units);
      case FOLLOWERS -> followers(erasure, userId, units);
      case LIKES -> page(erasure, lists.likes(userId, request(erasure, PAGE)), units);
      case COMMENTS -> page(erasure, lists.comments(userId, request(erasure, PAGE)), units);
      case WALK -> walk(erasure, userId, units);
      case RESTING, ERASED -> throw new IllegalStateException("Nothing to find: " + erasure);
    };
  }

  private Found page(Erasure erasure, Page<Key> page, RemovalUnits units) {
    var rows = lists.readable(page.items());
    return new Found(rows, beyond(erasure, page), units.of(rows));
  }

  private Found posts(Erasure erasure, String userId, RemovalUnits ofPlain) {
    var page = lists.posts(userId, request(erasure, PAGE));
    var rows =
        lists.readable(page.items()).stream()
            .collect(Collectors.toMap(Row::key, Function.identity()));
    var units =
        erasure.audience() >= MANY && rows.values().stream().anyMatch(ofPlain::isAnnounced)
            ? withSpecial(ofPlain)
            : ofPlain;
    var taken = new ArrayList<Row>();
    double sum = units.special() / COUNTED / 2;
    for (var slot : page.slots()) {
      var row = rows.get(slot.item());
      if (row != null) {
        taken.add(row);
        sum += units.of(row);
        if (sum >= UNITS) {
          return new Found(taken, Optional.of(erasure.after(null, slot.position())), sum);
        }
      }
    }
    return new Found(taken, beyond(erasure, page), sum);
  }

  private RemovalUnits withSpecial(RemovalUnits units) {
    return new RemovalUnits(
        units.userId(),
        units.followers(),
        follows.specialFollowers(units.userId()),
        units.expired());
  }

  private Found followers(Erasure erasure, String userId, RemovalUnits units) {
    int most = Math.min(limit, FOLLOWERS);
    var ids =
        follows.reachAfter(Audience.FOLLOWERS, userId, erasure.afterSort(), most).stream()
            .map(AudienceMember::followerId)
            .toList();
    var rows = lists.readable(ids.stream().map(id -> Follow.key(id, userId)).toList());
    return new Found(
        rows,
        ids.size() < most ? Optional.empty() : Optional.of(erasure.after(null, ids.getLast())),
        units.of(rows));
  }

  private PageRequest request(Erasure erasure, int most) {
    return new PageRequest(Math.min(limit, most), erasure.afterSort());
  }

  private static Optional<Erasure> beyond(Erasure erasure, Page<?> page) {
    return Optional.ofNullable(page.next()).map(position -> erasure.after(null, position));
  }

  /** The partitions of an account, one after the other. Each has its own order. */
  private Found walk(Erasure erasure, String userId, RemovalUnits units) {
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
    Optional<Erasure> next =
        part.end != null
            ? Optional.of(erasure.after(partition, part.end))
            : isLast
                ? Optional.empty()
                : Optional.of(erasure.after(partitions.get(index + 1), Keys.FIRST));
    return new Found(part.rows, next, units.of(part.rows));
  }

  /** Rows of one partition, and where the next begin; absent at the end. */
  private record Part(List<Row> rows, @Nullable String end) {}

  private Part own(String partition, String after, String userId) {
    var part = scanner.part(partition, after, Math.min(Math.max(1, limit / 2), ROWS));
    var items = withFewCalls(part.items());
    var rows = new ArrayList<>(AccountLists.readable(items));
    // A notification of a mention leads to the post of another account, which is a row as well.
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
    if (items.size() < part.items().size()) {
      return new Part(rows, items.getLast().key().sort());
    }
    var end = part.end();
    return new Part(rows, end == null ? null : end.sort());
  }

  /** Returns the first items, up to the last one that may still need calls of its own. */
  private static List<TableScanner.Item> withFewCalls(List<TableScanner.Item> items) {
    int calls = 0;
    for (int i = 0; i < items.size(); i++) {
      if (needsCalls(items.get(i)) && ++calls == OWN_CALLS) {
        return items.subList(0, i + 1);
      }
    }
    return items;
  }

  /**
   * A notification of a mention leads to a change of a post. A follow edge is here only if it was
   * written after the step of its kind.
   */
  private static boolean needsCalls(TableScanner.Item item) {
    return item instanceof TableScanner.Stored stored
        && switch (stored.row()) {
          case Block _, BlockedBy _, SpecialFollower _, Follow _ -> true;
          case Notification notification -> notification.type() == NotificationType.MENTION;
          default -> false;
        };
  }

  private Part media(String partition, String after) {
    int most = Math.min(limit, OWN_CALLS);
    var keys = scanner.keys(Index.POSTS_BY_AUTHOR, partition, after, most);
    return new Part(
        lists.readable(keys.values()), keys.size() == most ? keys.lastEntry().getKey() : null);
  }

  private Part feed(String partition, String after) {
    int most = Math.min(limit, ROWS);
    var keys = scanner.keys(Index.FEED_BY_USER, partition, after, most);
    var rows = new ArrayList<>(lists.readable(keys.values()));
    if (keys.size() == most) {
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
