package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.AttachedMedia;
import social.feed.api.user.AccountBody;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.Mute;

/**
 * An account that the caller mutes.
 *
 * @param id the user id
 * @param handle as its owner wrote it
 * @param displayName display name
 * @param avatar absent for none
 * @param until when the mute ends, absent for a mute without an end
 */
@Serdeable
@Schema(name = "MutedAccount")
record MutedBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String displayName,
    @Nullable AttachedMedia avatar,
    @Nullable Instant until) {

  static MutedBody of(BlockOrMute row, AccountBody account) {
    return new MutedBody(
        account.id(),
        account.handle(),
        account.displayName(),
        account.avatar(),
        row instanceof Mute mute ? mute.until() : null);
  }
}
