package social.feed.table.notification;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.graph.ViewerRelations;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.schema.KeyAttributes;
import social.feed.table.kernel.store.Inserts;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.SetExpression;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.UnreadRef;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Notifications. The item stays when it is read; it only leaves the unread index. Expired ones may
 * still be stored, so readers compare {@code expiresAt}.
 */
public final class Notifications {
  private static final int AT_ONCE = 16;

  private final Table table;
  private final Clock clock;
  private final BlocksAndMutes barriers;
  private final PagedQueries lists;
  private final Inserts<Notification> inserts;

  public Notifications(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
    this.barriers = new BlocksAndMutes(table, clock);
    this.lists = new PagedQueries(table);
    this.inserts = new Inserts<>(table, Notification.class);
  }

  /** Tells somebody something, once an id: one that was read stays read. Two write units. */
  public void add(Notification notification) {
    inserts.putIfAbsent(notification);
  }

  /** Takes a notification back; there may be none. Two write units. */
  public void retract(Key key) {
    table.client().deleteItem(d -> d.tableName(table.name()).key(KeyAttributes.of(key)));
  }

  /** Unread notifications, newest first; position is the GSI_NOTIF sort key. */
  @Serves(AccessPattern.FEED_009)
  public Page<UnreadRef> unread(String userId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_009, UnreadRef.class, Keys.unread(userId), request);
  }

  /** All notifications, newest first; position is the sort key. */
  @Serves(AccessPattern.FEED_013)
  public Page<Notification> all(String userId, PageRequest request) {
    return lists.ofCollection(
        AccessPattern.FEED_013, Notification.class, Keys.user(userId), Keys.NOTIFICATIONS, request);
  }

  /**
   * How many unread ones have not expired and are of people whom the user hears of, exactly. Half a
   * read unit for each 4 KB of them, and two for blocks and mutes.
   */
  public long unreadCount(String userId) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(Index.UNREAD.indexName())
            .projectionExpression("#actor")
            .keyConditionExpression("#unread = :user")
            .filterExpression("#ttl > :now")
            .expressionAttributeNames(
                Map.of(
                    "#unread", Index.UNREAD.partitionKey(),
                    "#ttl", BaseTable.TTL,
                    "#actor", Notification.ACTOR_ID))
            .expressionAttributeValues(
                Map.of(
                    ":user", AttributeValue.fromS(Keys.unread(userId)),
                    ":now", now()))
            .build();
    var boundary = barriers.around(userId);
    return table.client().queryPaginator(request).stream()
        .mapToLong(page -> heard(page.items(), boundary))
        .sum();
  }

  private static long heard(List<Map<String, AttributeValue>> items, ViewerRelations boundary) {
    var actors = items.stream().map(Notifications::actor).toList();
    var silenced = boundary.silenced(actors);
    return actors.stream().filter(actor -> !silenced.contains(actor)).count();
  }

  private static String actor(Map<String, AttributeValue> item) {
    return item.getOrDefault(Notification.ACTOR_ID, AttributeValue.fromS("")).s();
  }

  /**
   * Marks one as read; a repeat changes nothing. Two write units.
   *
   * @return whether there is such a notification that has not expired
   */
  public boolean markRead(String userId, String notificationId) {
    var createdAt = TimeOrderedId.timeOf(notificationId);
    return markRead(Notification.key(userId, createdAt, notificationId));
  }

  /**
   * Marks as read what happened between two of them, those included, and tells the same: of one
   * kind, about one post. A repeat changes nothing. Two read units, half of one for each 4 KB of
   * what is unread between them, and two write units each.
   *
   * @return whether one of the two is there and has not expired
   */
  public boolean markRead(String userId, String newestId, String oldestId) {
    var ends =
        Stream.of(newestId, oldestId)
            .flatMap(id -> get(userId, id).stream())
            .filter(end -> end.expiresAt() > clock.instant().getEpochSecond())
            .toList();
    if (ends.isEmpty()) {
      return false;
    }
    var told = ends.getFirst();
    unreadDownTo(userId, newestId, oldestId).stream()
        .filter(ref -> ref.type() == told.type())
        .filter(ref -> Objects.equals(ref.postId(), told.postId()))
        .map(ref -> Notification.key(userId, ref.createdAt(), ref.notificationId()))
        .forEach(this::markRead);
    return true;
  }

  private Optional<Notification> get(String userId, String id) {
    var key = Notification.key(userId, TimeOrderedId.timeOf(id), id);
    return table.getAll(List.of(key), true).stream().map(Notification.class::cast).findFirst();
  }

  private List<UnreadRef> unreadDownTo(String userId, String newestId, String oldestId) {
    var refs = new ArrayList<UnreadRef>();
    var first = position(newestId);
    var last = position(oldestId);
    @Nullable String position = Keys.endOf(TimeOrderedId.timeOf(newestId));
    while (position != null) {
      var page = unread(userId, new PageRequest(AccessPattern.FEED_009.maxPage(), position));
      for (var slot : page.slots()) {
        if (slot.position().compareTo(last) < 0) {
          return refs;
        }
        if (slot.position().compareTo(first) <= 0) {
          refs.add(slot.item());
        }
      }
      position = page.next();
    }
    return refs;
  }

  private static String position(String id) {
    return Keys.unreadSort(TimeOrderedId.timeOf(id), id);
  }

  /**
   * Marks all as read that happened up to a time, that time included, some at the same time: they
   * may be thousands. Half a read unit for each 4 KB of them and two write units each.
   */
  public void markAllRead(String userId, Instant upTo) {
    var request =
        QueryRequest.builder()
            .tableName(table.name())
            .indexName(Index.UNREAD.indexName())
            .keyConditionExpression("#unread = :user AND #time < :end")
            .expressionAttributeNames(
                Map.of("#unread", Index.UNREAD.partitionKey(), "#time", Index.UNREAD.sortKey()))
            .expressionAttributeValues(
                Map.of(
                    ":user", AttributeValue.fromS(Keys.unread(userId)),
                    ":end", AttributeValue.fromS(Keys.at(upTo.plusMillis(1)))))
            .build();
    for (var page : table.client().queryPaginator(request)) {
      var keys = page.items().stream().map(KeyAttributes::key).toList();
      ParallelCalls.map(keys, AT_ONCE, this::markRead);
    }
  }

  private boolean markRead(Key key) {
    var update =
        new SetExpression()
            .set(Notification.READ, AttributeValue.fromBool(true))
            .when(BaseTable.TTL, ">", now())
            .remove(Index.UNREAD.partitionKey())
            .remove(Index.UNREAD.sortKey());
    try {
      table
          .client()
          .updateItem(update.request().tableName(table.name()).key(KeyAttributes.of(key)).build());
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  private AttributeValue now() {
    return AttributeValue.fromN(Long.toString(clock.instant().getEpochSecond()));
  }
}
