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
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.page.GroupedPager;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.notification.Notifications;
import social.feed.table.row.Notification;

/**
 * Lists of notifications, without those that expired, or whose actors are gone, or are some whom
 * the caller does not hear of. What several people did alike is told as one.
 */
@Singleton
public final class NotificationLists {
  /** Actors of a group whose names are shown. */
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

  PageBody<NotificationBody> unread(Viewer viewer, int limit, @Nullable String cursor) {
    return page(
        viewer,
        pages.list(viewer, AccessPattern.FEED_009, ""),
        limit,
        cursor,
        request -> notifications.unread(viewer.userId(), request).with(StoredNotification::of));
  }

  PageBody<NotificationBody> all(Viewer viewer, int limit, @Nullable String cursor) {
    return page(
        viewer,
        pages.list(viewer, AccessPattern.FEED_013, ""),
        limit,
        cursor,
        request -> notifications.all(viewer.userId(), request).with(StoredNotification::of));
  }

  /**
   * Those of some stored notifications that the caller is shown, each by itself: what happens later
   * may join it in the list.
   */
  public List<Positioned<NotificationBody>> alone(
      Viewer viewer, List<Positioned<Notification>> slots) {
    List<Positioned<StoredNotification>> notices =
        slots.stream().map(slot -> slot.with(StoredNotification.of(slot.item()))).toList();
    return dressed(
        heard(viewer, current(notices)).stream()
            .map(slot -> slot.with(List.of(slot.item())))
            .toList());
  }

  private PageBody<NotificationBody> page(
      Viewer viewer,
      Pages.Listing list,
      int limit,
      @Nullable String cursor,
      Function<PageRequest, Page<StoredNotification>> fetch) {
    return list.page(
        limit,
        cursor,
        request ->
            GroupedPager.page(request, fetch, slots -> heard(viewer, current(slots)), GROUPING),
        this::dressed);
  }

  private static List<Positioned<StoredNotification>> heard(
      Viewer viewer, List<Positioned<StoredNotification>> slots) {
    Set<String> silenced =
        viewer.boundary().silenced(slots.stream().map(slot -> slot.item().actorId()).toList());
    return slots.stream().filter(slot -> !silenced.contains(slot.item().actorId())).toList();
  }

  /** The table removes what expired when it gets round to it. */
  private List<Positioned<StoredNotification>> current(List<Positioned<StoredNotification>> slots) {
    long now = clock.instant().getEpochSecond();
    return slots.stream().filter(slot -> slot.item().expiresAt() > now).toList();
  }

  /**
   * Half a read unit for each who may be named, and for each to whom one leaves the place who is
   * gone. Whether the others of a large group are still there is not asked; what somebody did who
   * is gone is taken back soon.
   */
  private List<Positioned<NotificationBody>> dressed(
      List<Positioned<List<StoredNotification>>> groups) {
    List<Positioned<List<StoredNotification>>> left = groups;
    Map<String, AccountBody> there = new HashMap<>();
    Set<String> asked = named(left);
    while (!asked.isEmpty()) {
      there.putAll(accounts.byId(asked));
      asked.removeAll(there.keySet());
      left = without(asked, left);
      asked = named(left);
      asked.removeAll(there.keySet());
    }
    return left.stream()
        .map(slot -> slot.with(NotificationBody.of(slot.item(), actors(slot.item(), there))))
        .toList();
  }

  private static Set<String> named(List<Positioned<List<StoredNotification>>> groups) {
    return groups.stream()
        .flatMap(slot -> slot.item().stream().limit(NAMED))
        .map(StoredNotification::actorId)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static List<Positioned<List<StoredNotification>>> without(
      Set<String> gone, List<Positioned<List<StoredNotification>>> groups) {
    return groups.stream()
        .map(slot -> slot.with(without(gone, slot)))
        .filter(slot -> !slot.item().isEmpty())
        .toList();
  }

  private static List<StoredNotification> without(
      Set<String> gone, Positioned<List<StoredNotification>> group) {
    return group.item().stream().filter(notice -> !gone.contains(notice.actorId())).toList();
  }

  private static List<AccountBody> actors(
      List<StoredNotification> group, Map<String, AccountBody> there) {
    return group.stream()
        .limit(NAMED)
        .flatMap(notice -> Stream.ofNullable(there.get(notice.actorId())))
        .toList();
  }
}
