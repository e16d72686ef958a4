package social.feed.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.user.AccountBody;

/**
 * A notification about the same action by one or several accounts.
 *
 * @param id to mark it as read
 * @param type the kind of action
 * @param actors accounts that did it, the most recent first, at most three
 * @param count number of accounts that did it, at most 50; earlier ones are in the next
 *     notification
 * @param postId the post it is about, absent for a follow
 * @param createdAt time of the most recent action
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
   * Returns the body of a group.
   *
   * @param group newest first, not empty
   * @param actors the actors to show by name
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
