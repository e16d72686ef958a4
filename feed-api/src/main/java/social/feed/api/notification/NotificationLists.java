package social.feed.api.notification;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.api.edge.paging.ListRoute.Presented;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;

/**
 * Lists of notifications, without expired ones, those of missing actors and those of actors that
 * the caller blocks or mutes. The same action by several actors is one notification.
 */
@Singleton
public final class NotificationLists {
  /** Actors of a group that a body names. */
  private static final int NAMED = 3;

  private static final NotificationGrouping GROUPING = new NotificationGrouping();

  private final Notifications notifications;
  private final AccountCache accounts;
  private final Pages pages;
  private final InstantSource clock;

  NotificationLists(
      Notifications notifications, AccountCache accounts, Pages pages, InstantSource clock) {
    this.notifications = notifications;
    this.accounts = accounts;
    this.pages = pages;
    this.clock = clock;
  }

  PageBody<NotificationBody> unread(Viewer viewer, PageParameters page) {
    Inbox inbox = notifications.inbox(viewer.userId());
    return list(
            viewer,
            AccessPattern.FEED_009,
            request -> notifications.unread(inbox, request).with(StoredNotification::of))
        .page(page);
  }

  PageBody<NotificationBody> all(Viewer viewer, PageParameters page) {
    Inbox inbox = notifications.inbox(viewer.userId());
    return list(
            viewer,
            AccessPattern.FEED_013,
            request ->
                notifications
                    .all(viewer.userId(), request)
                    .with(stored -> StoredNotification.of(stored, inbox)))
        .page(page);
  }

  /** Hidden notifications must not join a group, so they are filtered before the groups form. */
  private Presented<List<StoredNotification>, NamedActors, NotificationBody> list(
      Viewer viewer, AccessPattern pattern, Function<PageRequest, Page<StoredNotification>> read) {
    return pages
        .list(viewer, pattern, "")
        .skeleton(read)
        .hydrate(stored -> allowed(viewer, stored))
        .filter(Set::contains)
        .grouped(GROUPING)
        .hydrate(this::hydrate)
        .filter(NamedActors::isVisible)
        .present(NamedActors::body);
  }

  /**
   * Returns the visible ones of some stored notifications, each by itself: later notifications may
   * join its group in the list. One read unit for the inbox.
   */
  public List<Positioned<NotificationBody>> ungrouped(
      Viewer viewer, List<Positioned<Notification>> stored) {
    if (stored.isEmpty()) {
      return List.of();
    }
    Inbox inbox = notifications.inbox(viewer.userId());
    List<Positioned<StoredNotification>> references =
        stored.stream().map(slot -> slot.with(StoredNotification.of(slot.item(), inbox))).toList();
    Set<StoredNotification> allowed =
        allowed(viewer, references.stream().map(Positioned::item).toList());
    List<Positioned<List<StoredNotification>>> groups =
        references.stream()
            .filter(slot -> allowed.contains(slot.item()))
            .map(slot -> slot.with(List.of(slot.item())))
            .toList();
    NamedActors actors = hydrate(groups.stream().map(Positioned::item).toList());
    return groups.stream()
        .filter(slot -> actors.isVisible(slot.item()))
        .map(slot -> slot.with(actors.body(slot.item())))
        .toList();
  }

  /**
   * Returns the notifications that are current, of actors that the caller neither blocks nor mutes.
   * The table removes expired rows with a delay.
   */
  private Set<StoredNotification> allowed(Viewer viewer, List<StoredNotification> stored) {
    long now = clock.instant().getEpochSecond();
    List<StoredNotification> current =
        stored.stream().filter(notification -> notification.expiresAt() > now).toList();
    Set<String> silenced =
        viewer.relations().silenced(current.stream().map(StoredNotification::actorId).toList());
    return current.stream()
        .filter(notification -> !silenced.contains(notification.actorId()))
        .collect(Collectors.toSet());
  }

  /**
   * Reads the actors that bodies name. Where one is gone, the next actor of its group takes its
   * place. Half a read unit for each of both. The other actors of a large group are not checked:
   * notifications of an erased account are removed soon.
   */
  private NamedActors hydrate(List<List<StoredNotification>> groups) {
    NamedActors actors = new NamedActors(new HashMap<>(), new HashSet<>());
    Set<String> missing = actors.unread(groups);
    while (!missing.isEmpty()) {
      actors.found().putAll(accounts.byId(missing));
      missing.removeAll(actors.found().keySet());
      actors.gone().addAll(missing);
      missing = actors.unread(groups);
    }
    return actors;
  }

  /**
   * The actors that the bodies of some groups name.
   *
   * @param found accounts by id
   * @param gone ids without an account
   */
  private record NamedActors(Map<String, AccountBody> found, Set<String> gone) {

    private Set<String> unread(List<List<StoredNotification>> groups) {
      return groups.stream()
          .flatMap(this::named)
          .map(StoredNotification::actorId)
          .filter(id -> !found.containsKey(id))
          .collect(Collectors.toCollection(HashSet::new));
    }

    boolean isVisible(List<StoredNotification> group) {
      return !remaining(group).isEmpty();
    }

    NotificationBody body(List<StoredNotification> group) {
      return NotificationBody.of(
          remaining(group),
          named(group)
              .flatMap(notification -> Stream.ofNullable(found.get(notification.actorId())))
              .toList());
    }

    private Stream<StoredNotification> named(List<StoredNotification> group) {
      return remaining(group).stream().limit(NAMED);
    }

    private List<StoredNotification> remaining(List<StoredNotification> group) {
      return group.stream().filter(notification -> !gone.contains(notification.actorId())).toList();
    }
  }
}
