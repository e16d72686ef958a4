package social.feed.api.notification;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Inbox;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.UnreadRef;

/** A stored notification, from the full list or the unread list. */
record StoredNotification(
    String id,
    NotificationType type,
    String actorId,
    @Nullable String postId,
    Instant createdAt,
    boolean read,
    long expiresAt) {

  /** An unread row counts as read where the inbox says so. */
  static StoredNotification of(Notification stored, Inbox inbox) {
    return new StoredNotification(
        stored.notificationId(),
        stored.type(),
        stored.actorId(),
        stored.postId(),
        stored.createdAt(),
        stored.read() || inbox.isReadAt(stored.createdAt()),
        stored.expiresAt());
  }

  static StoredNotification of(UnreadRef stored) {
    return new StoredNotification(
        stored.notificationId(),
        stored.type(),
        stored.actorId(),
        stored.postId(),
        stored.createdAt(),
        false,
        stored.expiresAt());
  }
}
