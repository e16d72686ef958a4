package social.feed.table.notification;

import static social.feed.table.kernel.store.Condition.absent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Serves;
import social.feed.table.graph.BlocksAndMutes;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.table.notification.Inboxes.Standing;
import social.feed.table.row.Inbox;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Notification;
import social.feed.table.row.UnreadRef;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/**
 * Notifications. A notification that is read stays in the table and leaves the unread index.
 * Expired ones may still be stored, so readers compare {@code expiresAt}.
 */
public final class Notifications {
  /**
   * How long a number counts without another look at the oldest notifications. None that is written
   * meanwhile expires earlier: {@link #isLate}.
   */
  private static final Duration LOOK_AGAIN = Duration.ofDays(1);

  /** How long after a block a notification may be written that did not see the block. */
  private static final Duration NOTIFYING = Duration.ofMinutes(30);

  /** How long a notification must at least be kept when a handler decides to write it. */
  public static final Duration LEAST_KEPT = LOOK_AGAIN.plus(NOTIFYING);

  /** A count reads no further page of unread notifications once it has read so many. */
  private static final long COUNT_STOPS_AT = 5_000;

  private final Table table;
  private final Clock clock;
  private final BlocksAndMutes blocksAndMutes;
  private final PagedQueries lists;
  private final Inboxes inboxes;

  public Notifications(Table table, Clock clock) {
    this.table = table;
    this.clock = clock;
    this.blocksAndMutes = new BlocksAndMutes(table, clock);
    this.lists = new PagedQueries(table);
    this.inboxes = new Inboxes(table);
  }

  /**
   * Returns whether a notification has expired or will so soon that it must not be written: a
   * number of unread notifications that was noted before would include it longer than it lives.
   *
   * @param expiresAt the epoch second of its expiry
   */
  public static boolean isLate(long expiresAt, Instant now) {
    return expiresAt <= now.plus(LEAST_KEPT).getEpochSecond();
  }

  /** Adds a notification unless its id exists; one that was read stays read. Two write units. */
  public void add(Notification notification) {
    table.put(notification, absent().returningItem());
  }

  /**
   * Adds notifications, as {@link #add} does. Two write units each.
   *
   * @param atOnce the most concurrent calls
   */
  public void addAll(Collection<Notification> all, int atOnce) {
    if (atOnce == 1) {
      all.forEach(this::add);
      return;
    }
    var _ =
        ParallelCalls.mapUntilFailure(
            List.copyOf(all),
            atOnce,
            notification -> {
              add(notification);
              return true;
            });
  }

  /** Deletes notifications; there may be none. One call for 25. Two write units each. */
  public void retract(Collection<Key> keys) {
    table.deleteAll(keys);
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

  /**
   * As {@link #unread(String, PageRequest)}, without those that count as read, which are the
   * oldest.
   */
  public Page<UnreadRef> unread(Inbox inbox, PageRequest request) {
    var page = unread(inbox.userId(), request);
    var unread =
        page.slots().stream().takeWhile(slot -> !inbox.isReadAt(slot.item().createdAt())).toList();
    return unread.size() == page.slots().size() ? page : new Page<>(unread, null);
  }

  /** Returns all notifications, newest first. Position is the sort key. */
  @Serves(AccessPattern.FEED_013)
  public Page<Notification> all(String userId, PageRequest request) {
    return lists.ofCollection(
        AccessPattern.FEED_013, Notification.class, Keys.user(userId), Keys.NOTIFICATIONS, request);
  }

  /**
   * Returns the exact number of unread notifications that have not expired and whose actors the
   * user neither blocks nor mutes, nor is blocked by. Where the inbox has the number, one read
   * unit, one more for each 4 KB of blocks beyond the first twelve, and one for each notification
   * that a block hides. The inbox has it where no mute and only old blocks hide one, at most
   * {@value Inboxes#HIDDEN}, nothing expired, and none is still to be marked as read. Otherwise
   * half a read unit more for each 4 KB of the notifications, and two or three for blocks and
   * mutes; where the number is known from then on, one write unit, or four for the first one. Of
   * more than {@value #COUNT_STOPS_AT} it reads only the oldest so many, and takes the others from
   * the inbox, whose number includes those that blocks and mutes hide: others decide how many
   * notifications an account has.
   */
  public long unreadCount(String userId) {
    var standing = inboxes.standing(userId);
    long now = now();
    return standing
        .inbox()
        .filter(inbox -> standing.isSettled(inbox) && inbox.isSettledAt(now))
        .filter(inbox -> inboxes.areHiddenUnread(inbox, now))
        .map(inbox -> Math.max(0, inbox.unread() - inbox.hiddenPlaces().size()))
        .orElseGet(() -> counted(userId, standing, now));
  }

  private long counted(String userId, Standing standing, long now) {
    var relations = blocksAndMutes.around(userId);
    var found = new UnreadFound(now);
    for (var page : table.client().queryPaginator(unreadAfter(userId, standing.inbox()))) {
      var current = found.current(page.items());
      var actors = current.stream().map(Notifications::actor).toList();
      found.look(
          current,
          standing.areAll() ? standing.separated() : relations.separated(actors),
          relations.muted(actors));
      boolean isMore = !page.lastEvaluatedKey().isEmpty();
      if (isMore && found.examined >= COUNT_STOPS_AT && isCounted(standing)) {
        var inbox = standing.inbox().orElseThrow();
        noted(() -> settleMany(inbox, found));
        return Math.max(found.shown, inbox.unread() - (found.examined - found.shown));
      }
    }
    noted(
        () ->
            standing
                .inbox()
                .ifPresentOrElse(
                    inbox -> settle(inbox, standing, found),
                    () -> inboxes.create(Inbox.empty(userId))));
    return found.shown;
  }

  private static void noted(Runnable note) {
    try {
      note.run();
    } catch (SdkException | ThrottledException e) {
      // The count is right without the note, and the next one tries again.
    }
  }

  /** Notes the next expiry where only the oldest were read, which are the first to expire. */
  private void settleMany(Inbox inbox, UnreadFound found) {
    var expired = found.newestExpired;
    boolean isTimeKnown = inbox.currentUntil() != null && found.now < inbox.currentUntil();
    if (expired != null && found.areOldestExpired()) {
      inboxes.markAllRead(inbox.userId(), Keys.timeOf(expired));
    } else if (expired == null && !isTimeKnown) {
      long until = Math.min(found.firstExpiry, found.now + LOOK_AGAIN.toSeconds());
      inboxes.settle(inbox, new Inboxes.Found(until, false, null, List.of()));
    }
  }

  private static boolean isCounted(Standing standing) {
    return standing.inbox().filter(i -> i.complete() && i.readUpTo() == null).isPresent();
  }

  private QueryRequest unreadAfter(String userId, Optional<Inbox> inbox) {
    var from = inbox.map(Inbox::readUpTo).map(Keys::endOf).orElse(Keys.FIRST);
    return QueryRequest.builder()
        .tableName(table.name())
        .indexName(Index.UNREAD.indexName())
        .projectionExpression("#actor, #ttl, #time")
        .keyConditionExpression("#unread = :user AND #time > :from")
        .expressionAttributeNames(
            Map.of(
                "#unread",
                Index.UNREAD.partitionKey(),
                "#time",
                Index.UNREAD.sortKey(),
                "#ttl",
                BaseTable.TTL,
                "#actor",
                Notification.ACTOR_ID))
        .expressionAttributeValues(
            Map.of(
                ":user", AttributeValue.fromS(Keys.unread(userId)),
                ":from", AttributeValue.fromS(from)))
        .build();
  }

  /** Brings the inbox to where its number alone answers. */
  private void settle(Inbox inbox, Standing standing, UnreadFound found) {
    var expired = found.newestExpired;
    if (!inbox.complete() || inbox.readUpTo() != null) {
      return;
    }
    if (expired != null) {
      if (found.areOldestExpired()) {
        inboxes.markAllRead(inbox.userId(), Keys.timeOf(expired));
      }
      return;
    }
    boolean isTimeKnown = inbox.currentUntil() != null && found.now < inbox.currentUntil();
    var at = Instant.ofEpochSecond(found.now);
    boolean isUnmuted =
        inbox.mayMute()
            && found.muted == 0
            && blocksAndMutes.areMutesFromBefore(inbox.userId(), at.minus(Retention.LATEST_EFFECT));
    boolean isSettled = standing.isSettled(inbox) && found.hidden.equals(inbox.hiddenPlaces());
    boolean canSettle =
        !isSettled
            && found.hidden.size() <= Inboxes.HIDDEN
            && standing.areFromBefore(at.minus(NOTIFYING));
    if (!isTimeKnown || isUnmuted || canSettle) {
      inboxes.settle(
          inbox,
          new Inboxes.Found(
              Math.min(found.firstExpiry, found.now + LOOK_AGAIN.toSeconds()),
              isUnmuted,
              canSettle ? standing.hash(found.hidden) : null,
              found.hidden));
    }
  }

  /** When the unread notifications that an exact count read expire, and which are hidden. */
  private static final class UnreadFound {
    private final long now;

    /** The places of those that blocks hide: the first ones, more than an inbox names. */
    private final List<String> hidden = new ArrayList<>();

    /** Those by muted accounts, also where a block hides them as well. */
    private long muted;

    private long examined;
    private long shown;
    private long firstExpiry = Long.MAX_VALUE;
    private @Nullable String newestExpired;
    private @Nullable String oldestCurrent;

    private UnreadFound(long now) {
      this.now = now;
    }

    /** Returns the items that have not expired, of all items in the order of their times. */
    private List<Map<String, AttributeValue>> current(List<Map<String, AttributeValue>> items) {
      var current = new ArrayList<Map<String, AttributeValue>>();
      examined += items.size();
      for (var item : items) {
        long expiry = Long.parseLong(Objects.requireNonNull(item.get(BaseTable.TTL)).n());
        var place = place(item);
        if (expiry <= now) {
          newestExpired = place;
        } else {
          oldestCurrent = Objects.requireNonNullElse(oldestCurrent, place);
          firstExpiry = Math.min(firstExpiry, expiry);
          current.add(item);
        }
      }
      return current;
    }

    private void look(
        List<Map<String, AttributeValue>> current, Set<String> separated, Set<String> silent) {
      for (var item : current) {
        boolean isSeparated = separated.contains(actor(item));
        boolean isMuted = silent.contains(actor(item));
        if (isSeparated && hidden.size() <= Inboxes.HIDDEN) {
          hidden.add(place(item));
        }
        if (isMuted) {
          muted++;
        }
        if (!isSeparated && !isMuted) {
          shown++;
        }
      }
    }

    private static String place(Map<String, AttributeValue> item) {
      return Objects.requireNonNull(item.get(Index.UNREAD.sortKey())).s();
    }

    private boolean areOldestExpired() {
      return newestExpired != null
          && (oldestCurrent == null || newestExpired.compareTo(oldestCurrent) < 0);
    }
  }

  private static String actor(Map<String, AttributeValue> item) {
    return item.getOrDefault(Notification.ACTOR_ID, AttributeValue.fromS("")).s();
  }

  /** Returns the inbox of a user, strongly consistent. One read unit. */
  public Inbox inbox(String userId) {
    return inboxes.get(userId).orElseGet(() -> Inbox.empty(userId));
  }

  /**
   * Marks a notification as read; a repeat changes nothing. One read unit and five write units.
   *
   * @return whether there is such a notification that has not expired
   */
  public boolean markRead(String userId, String notificationId) {
    var found = get(userId, notificationId).filter(stored -> stored.expiresAt() > now());
    found
        .filter(stored -> !stored.read())
        .ifPresent(stored -> inboxes.markRead(userId, List.of(stored.key())));
    return found.isPresent();
  }

  /**
   * Marks a group of notifications as read: those between two, both included, that belong to it.
   * The two may be gone by now. A repeat changes nothing. Half a read unit for each 4 KB that is
   * unread between the two, three write units each and two for all; two read units where none is
   * unread. A caller can name two that are no group, so it stops after {@value
   * PageFiller#MAX_EXAMINED} unread ones, and a page: no group of a list has more between its ends.
   *
   * @param isInGroup whether an unread notification belongs to the group
   * @return whether one of the group was unread, or one of the two exists and has not expired
   */
  public boolean markRead(
      String userId, String newestId, String oldestId, Predicate<UnreadRef> isInGroup) {
    var keys =
        unreadDownTo(userId, newestId, oldestId).stream()
            .filter(ref -> ref.expiresAt() > now())
            .filter(isInGroup)
            .map(ref -> Notification.key(userId, ref.createdAt(), ref.notificationId()))
            .toList();
    keys.stream()
        .gather(Gatherers.windowFixed(Inboxes.PART))
        .forEach(part -> inboxes.markRead(userId, part));
    return !keys.isEmpty()
        || Stream.of(newestId, oldestId)
            .flatMap(id -> get(userId, id).stream())
            .anyMatch(end -> end.expiresAt() > now());
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
    int examined = 0;
    while (position != null && examined <= PageFiller.MAX_EXAMINED) {
      var page = unread(userId, new PageRequest(AccessPattern.FEED_009.maxPage(), position));
      examined += page.slots().size();
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
   * Lets all notifications up to a time count as read, that time included. The stream brings the
   * rows up to date, {@value Inboxes#PART} at a time. Until then {@link #inbox} says up to which
   * time unread rows count as read. One write unit, whatever their number; four for the first of an
   * account.
   */
  public void markAllRead(String userId, Instant upTo) {
    inboxes.markAllRead(userId, upTo);
  }

  private long now() {
    return clock.instant().getEpochSecond();
  }
}
