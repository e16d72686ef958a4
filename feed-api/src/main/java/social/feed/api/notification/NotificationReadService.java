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

  void one(Viewer viewer, String id) {
    boolean isThere = GroupId.parse(id).filter(group -> mark(viewer, group)).isPresent();
    if (!isThere) {
      throw new ProblemException(ProblemCode.NOT_FOUND, "There is no such notification");
    }
  }

  private boolean mark(Viewer viewer, GroupId group) {
    return group.isOne()
        ? notifications.markRead(viewer.userId(), group.newest())
        : notifications.markRead(viewer.userId(), group.newest(), group.oldest());
  }

  /** Nothing happened after now or before 1970, so times beyond are as good as these. */
  void upTo(Viewer viewer, @Nullable Instant wish) {
    Instant now = clock.instant();
    Instant upTo = wish == null || wish.isAfter(now) ? now : wish;
    if (!upTo.isBefore(Instant.EPOCH)) {
      notifications.markAllRead(viewer.userId(), upTo);
    }
  }
}
