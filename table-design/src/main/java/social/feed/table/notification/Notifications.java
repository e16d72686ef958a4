package social.feed.table.notification;

import static social.feed.table.kernel.store.Condition.absent;
import static social.feed.table.kernel.store.Condition.greater;
import static social.feed.table.kernel.store.Condition.present;

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
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.Update;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.UnreadRef;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Notifications. A notification that is read stays in the table and leaves the unread index.
 * Expired ones may still be stored, so readers compare {@code expiresAt}.
 */
public final class Notifications {
  private static final int AT_ONCE = 16;

  private final Table table;
  private final Clock clock;
  private final BlocksAndMutes blocksAndMutes;
  private final PagedQueries lists;

  public Notifications(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
    this.blocksAndMutes = new BlocksAndMutes(table, clock);
    this.lists = new PagedQueries(table);
  }

  /** Adds a notification unless its id exists; one that was read stays read. Two write units. */
  public void add(Notification notification) {
    table.put(notification, absent().returningItem());
  }

  /** Deletes a notification; there may be none. Two write units. */
  public void retract(Key key) {
    table.delete(key);
  }

  /** Returns unread notifications, newest first. Position is the GSI_NOTIF sort key. */
  @Serves(AccessPattern.FEED_009)
  public Page<UnreadRef> unread(String userId, PageRequest request) {
    return lists.ofIndex(AccessPattern.FEED_009, UnreadRef.class, Keys.unread(userId), request);
  }

  /** Returns all notifications, newest first. Position is the sort key. */
  @Serves(AccessPattern.FEED_013)
  public Page<Notification> all(String userId, PageRequest request) {
    return lists.ofCollection(
        AccessPattern.FEED_013, Notification.class, Keys.user(userId), Keys.NOTIFICATIONS, request);
  }

  /**
   * Returns the exact number of unread notifications that have not expired and whose actors the
   * user neither blocks nor mutes, nor is blocked by. Half a read unit for each 4 KB of them, and
   * two for blocks and mutes.
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
                    ":now", AttributeValue.fromN(Long.toString(now()))))
            .build();
    var relations = blocksAndMutes.around(userId);
    return table.client().queryPaginator(request).stream()
        .mapToLong(page -> countShown(page.items(), relations))
        .sum();
  }

  private static long countShown(
      List<Map<String, AttributeValue>> items, ViewerRelations relations) {
    var actors = items.stream().map(Notifications::actor).toList();
    var silenced = relations.silenced(actors);
    return actors.stream().filter(actor -> !silenced.contains(actor)).count();
  }

  private static String actor(Map<String, AttributeValue> item) {
    return item.getOrDefault(Notification.ACTOR_ID, AttributeValue.fromS("")).s();
  }

  /**
   * Marks a notification as read; a repeat changes nothing. Two write units.
   *
   * @return whether there is such a notification that has not expired
   */
  public boolean markRead(String userId, String notificationId) {
    var createdAt = TimeOrderedId.timeOf(notificationId);
    return markRead(Notification.key(userId, createdAt, notificationId));
  }

  /**
   * Marks a group of notifications as read: those between two, both included, of the same type and
   * post. A repeat changes nothing. Two read units, half a read unit for each 4 KB that is unread
   * between the two, and two write units each.
   *
   * @return whether one of the two exists and has not expired
   */
  public boolean markRead(String userId, String newestId, String oldestId) {
    var ends =
        Stream.of(newestId, oldestId)
            .flatMap(id -> get(userId, id).stream())
            .filter(end -> end.expiresAt() > now())
            .toList();
    if (ends.isEmpty()) {
      return false;
    }
    var sample = ends.getFirst();
    unreadDownTo(userId, newestId, oldestId).stream()
        .filter(ref -> ref.type() == sample.type())
        .filter(ref -> Objects.equals(ref.postId(), sample.postId()))
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
   * Marks all notifications up to a time as read, that time included. There may be thousands, so
   * some are written concurrently. Half a read unit for each 4 KB of them and two write units each.
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
        new Update()
            .set(Notification.READ, AttributeValue.fromBool(true))
            .remove(Index.UNREAD.partitionKey())
            .remove(Index.UNREAD.sortKey());
    return table.update(key, update, present().and(greater(BaseTable.TTL, now()))).isDone();
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
