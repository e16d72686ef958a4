package social.feed.api.notification;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import social.feed.api.paging.PageBody;
import social.feed.api.paging.Pages;
import social.feed.api.security.Viewer;
import social.feed.api.user.Accounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.notification.Notifications;
import social.feed.table.page.Slot;
import social.feed.table.row.Notification;
import social.feed.table.row.UnreadRef;

/**
 * Lists of notifications, without those that expired, or whose actor is gone, or is one whom the
 * caller does not hear of.
 */
@Singleton
public final class NotificationLists {
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
    return pages
        .list(viewer, AccessPattern.FEED_009, "")
        .page(
            limit,
            cursor,
            request -> notifications.unread(viewer.userId(), request),
            slots ->
                accounts.dress(
                    viewer,
                    heard(viewer, current(slots, UnreadRef::expiresAt), UnreadRef::actorId),
                    UnreadRef::actorId,
                    NotificationBody::of));
  }

  PageBody<NotificationBody> all(Viewer viewer, int limit, @Nullable String cursor) {
    return pages
        .list(viewer, AccessPattern.FEED_013, "")
        .page(
            limit,
            cursor,
            request -> notifications.all(viewer.userId(), request),
            slots -> shown(viewer, slots));
  }

  /** Those of some stored notifications that the caller is shown, as in pages. */
  public List<Slot<NotificationBody>> shown(Viewer viewer, List<Slot<Notification>> slots) {
    return accounts.dress(
        viewer,
        heard(viewer, current(slots, Notification::expiresAt), Notification::actorId),
        Notification::actorId,
        NotificationBody::of);
  }

  private static <S> List<Slot<S>> heard(
      Viewer viewer, List<Slot<S>> slots, Function<S, String> actor) {
    Set<String> silenced =
        viewer.boundary().silenced(slots.stream().map(slot -> actor.apply(slot.item())).toList());
    return slots.stream().filter(slot -> !silenced.contains(actor.apply(slot.item()))).toList();
  }

  /** The table removes what expired when it gets round to it. */
  private <S> List<Slot<S>> current(List<Slot<S>> slots, ToLongFunction<S> expiresAt) {
    long now = clock.instant().getEpochSecond();
    return slots.stream().filter(slot -> expiresAt.applyAsLong(slot.item()) > now).toList();
  }
}
