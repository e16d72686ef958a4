package social.feed.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.AccountBody;

/**
 * A notification, of what one or several people did.
 *
 * @param id to mark it as read
 * @param type what it tells
 * @param actors who did it, the last one first, at most three
 * @param count how many did it, at most 50; who did it before is told in the next one
 * @param postId the post it is about, absent for a follow
 * @param createdAt when the last one did it
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

  /**
   * @param group newest first, not empty
   * @param actors those of its actors who are named
   */
  static NotificationBody of(List<StoredNotification> group, List<AccountBody> actors) {
    StoredNotification newest = group.getFirst();
    return new NotificationBody(
        GroupId.of(group).toString(),
        NotificationKind.of(newest.type()),
        actors,
        group.size(),
        newest.postId(),
        newest.createdAt(),
        group.stream().allMatch(StoredNotification::read));
  }
}
