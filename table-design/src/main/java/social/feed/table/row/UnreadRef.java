package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A notification as read from GSI_NOTIF. It is complete, so the page of unread notifications needs
 * no second read.
 *
 * @param userId the recipient
 * @param notificationId its id
 * @param type the event that caused it
 * @param actorId the account that caused it
 * @param postId the post it is about, absent for a follow
 * @param createdAt when the event happened
 * @param expiresAt epoch second after which TTL may delete the row
 */
public record UnreadRef(
    String userId,
    String notificationId,
    NotificationType type,
    String actorId,
    @Nullable String postId,
    Instant createdAt,
    long expiresAt) {}
