package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A notification as GSI_NOTIF shows it, complete: the unread page needs no second read.
 *
 * @param userId who is told
 * @param notificationId its id
 * @param type what it tells
 * @param actorId who did it
 * @param postId the post it is about, absent for a follow
 * @param createdAt when it was done
 * @param expiresAt epoch second after which it is gone
 */
public record UnreadRef(
    String userId,
    String notificationId,
    NotificationType type,
    String actorId,
    @Nullable String postId,
    Instant createdAt,
    long expiresAt) {}
