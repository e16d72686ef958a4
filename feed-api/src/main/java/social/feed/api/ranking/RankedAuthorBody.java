package social.feed.api.ranking;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.AttachedMedia;
import social.feed.api.user.AccountBody;

/**
 * An account in a leaderboard.
 *
 * @param id the user id
 * @param handle as its owner wrote it
 * @param displayName display name
 * @param avatar absent for none
 * @param count number of followers that determines the rank
 */
@Serdeable
@Schema(name = "RankedAuthor")
record RankedAuthorBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String displayName,
    @Nullable AttachedMedia avatar,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long count) {

  static RankedAuthorBody of(AccountBody account, long count) {
    return new RankedAuthorBody(
        account.id(), account.handle(), account.displayName(), account.avatar(), count);
  }
}
