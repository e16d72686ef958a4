package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.AttachedMedia;
import social.feed.api.media.MediaAddresses;
import social.feed.table.row.User;

/**
 * An account in lists and in other bodies.
 *
 * @param id the user id
 * @param handle as its owner wrote it
 * @param displayName display name
 * @param avatar absent for none
 * @param followedAt when the follow began, in lists of follows
 */
@Serdeable
@Schema(name = "Account")
public record AccountBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String displayName,
    @Nullable AttachedMedia avatar,
    @Nullable Instant followedAt) {

  /** An account without a follow, for a caller who may see it. */
  public static AccountBody of(User user, MediaAddresses addresses) {
    return new AccountBody(
        user.userId(),
        user.handle(),
        user.displayName(),
        AttachedMedia.ofNullable(user.avatar(), addresses),
        null);
  }

  /** Returns the account with the time of its follow. */
  public AccountBody followedAt(Instant time) {
    return new AccountBody(id, handle, displayName, avatar, time);
  }
}
