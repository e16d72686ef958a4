package social.feed.api.notification;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.Viewer;
import social.feed.table.notification.Notifications;

/** Marks notifications as read. */
@Singleton
final class NotificationReadService {
  private final Notifications notifications;
  private final InstantSource clock;

  NotificationReadService(Notifications notifications, InstantSource clock) {
    this.notifications = notifications;
    this.clock = clock;
  }

  /** Marks a notification or a group as read. */
  void markRead(Viewer viewer, String id) {
    boolean isFound = GroupId.parse(id).filter(group -> mark(viewer, group)).isPresent();
    if (!isFound) {
      throw new ProblemException(ProblemCode.NOT_FOUND, "There is no such notification");
    }
  }

  private boolean mark(Viewer viewer, GroupId group) {
    return group.isOne()
        ? notifications.markRead(viewer.userId(), group.newest())
        : notifications.markRead(viewer.userId(), group.newest(), group.oldest(), group::contains);
  }

  /** Marks all notifications until a time as read. Clamps the time to now; none is before 1970. */
  void markAllRead(Viewer viewer, @Nullable Instant requested) {
    Instant now = clock.instant();
    Instant upTo = requested == null || requested.isAfter(now) ? now : requested;
    if (!upTo.isBefore(Instant.EPOCH)) {
      notifications.markAllRead(viewer.userId(), upTo);
    }
  }
}
