package social.feed.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.AccountBody;
import social.feed.table.row.Notification;
import social.feed.table.row.UnreadRef;

/**
 * A notification.
 *
 * @param id time-ordered
 * @param type what it tells
 * @param actors who did it, the last one first
 * @param count how many did it
 * @param postId the post it is about, absent for a follow
 * @param createdAt when it was done
 * @param read whether the caller read it
 */
@Serdeable
@Schema(name = "Notification")
public record NotificationBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) NotificationKind type,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<AccountBody> actors,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long count,
    @Nullable String postId,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean read) {

  static NotificationBody of(Notification stored, AccountBody actor) {
    return new NotificationBody(
        stored.notificationId(),
        NotificationKind.of(stored.type()),
        List.of(actor),
        1,
        stored.postId(),
        stored.createdAt(),
        stored.read());
  }

  static NotificationBody of(UnreadRef stored, AccountBody actor) {
    return new NotificationBody(
        stored.notificationId(),
        NotificationKind.of(stored.type()),
        List.of(actor),
        1,
        stored.postId(),
        stored.createdAt(),
        false);
  }
}
