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
import social.feed.api.paging.PageBody;
import social.feed.api.paging.Pages;
import social.feed.api.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.Accounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.notification.Notifications;
import social.feed.table.page.Bundles;
import social.feed.table.page.Page;
import social.feed.table.page.PageRequest;
import social.feed.table.page.Slot;
import social.feed.table.row.Notification;

/**
 * Lists of notifications, without those that expired, or whose actors are gone, or are some whom
 * the caller does not hear of. What several people did alike is told as one.
 */
@Singleton
public final class NotificationLists {
  /** Actors of a group whose names are shown. */
  private static final int NAMED = 3;

  private static final Grouping GROUPING = new Grouping();

  private final Notifications notifications;
  private final Accounts accounts;
  private final Pages pages;
  private final InstantSource clock;

  NotificationLists(
      Notifications notifications, Accounts accounts, Pages pages, InstantSource clock) {
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
        request -> notifications.unread(viewer.userId(), request).with(Notice::of));
  }

  PageBody<NotificationBody> all(Viewer viewer, int limit, @Nullable String cursor) {
    return page(
        viewer,
        pages.list(viewer, AccessPattern.FEED_013, ""),
        limit,
        cursor,
        request -> notifications.all(viewer.userId(), request).with(Notice::of));
  }

  /**
   * Those of some stored notifications that the caller is shown, each by itself: what happens later
   * may join it in the list.
   */
  public List<Slot<NotificationBody>> alone(Viewer viewer, List<Slot<Notification>> slots) {
    List<Slot<Notice>> notices =
        slots.stream().map(slot -> slot.with(Notice.of(slot.item()))).toList();
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
      Function<PageRequest, Page<Notice>> fetch) {
    return list.page(
        limit,
        cursor,
        request -> Bundles.page(request, fetch, slots -> heard(viewer, current(slots)), GROUPING),
        this::dressed);
  }

  private static List<Slot<Notice>> heard(Viewer viewer, List<Slot<Notice>> slots) {
    Set<String> silenced =
        viewer.boundary().silenced(slots.stream().map(slot -> slot.item().actorId()).toList());
    return slots.stream().filter(slot -> !silenced.contains(slot.item().actorId())).toList();
  }

  /** The table removes what expired when it gets round to it. */
  private List<Slot<Notice>> current(List<Slot<Notice>> slots) {
    long now = clock.instant().getEpochSecond();
    return slots.stream().filter(slot -> slot.item().expiresAt() > now).toList();
  }

  /**
   * Half a read unit for each who may be named, and for each to whom one leaves the place who is
   * gone. Whether the others of a large group are still there is not asked; what somebody did who
   * is gone is taken back soon.
   */
  private List<Slot<NotificationBody>> dressed(List<Slot<List<Notice>>> groups) {
    List<Slot<List<Notice>>> left = groups;
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

  private static Set<String> named(List<Slot<List<Notice>>> groups) {
    return groups.stream()
        .flatMap(slot -> slot.item().stream().limit(NAMED))
        .map(Notice::actorId)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static List<Slot<List<Notice>>> without(
      Set<String> gone, List<Slot<List<Notice>>> groups) {
    return groups.stream()
        .map(slot -> slot.with(without(gone, slot)))
        .filter(slot -> !slot.item().isEmpty())
        .toList();
  }

  private static List<Notice> without(Set<String> gone, Slot<List<Notice>> group) {
    return group.item().stream().filter(notice -> !gone.contains(notice.actorId())).toList();
  }

  private static List<AccountBody> actors(List<Notice> group, Map<String, AccountBody> there) {
    return group.stream()
        .limit(NAMED)
        .flatMap(notice -> Stream.ofNullable(there.get(notice.actorId())))
        .toList();
  }
}
