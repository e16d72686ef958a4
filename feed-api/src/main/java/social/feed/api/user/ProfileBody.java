package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.api.media.AttachedMedia;
import social.feed.api.media.MediaAddresses;
import social.feed.table.row.User;

/**
 * A profile.
 *
 * @param id the user id
 * @param handle as its owner wrote it
 * @param displayName display name
 * @param bio the owner's description
 * @param avatar absent for none
 * @param banner absent for none
 * @param createdAt when the account was registered
 * @param followersCount number of followers, eventually consistent
 * @param followingCount number of followed accounts; exact in the caller's own profile, eventually
 *     consistent in others
 * @param postsCount number of posts, eventually consistent
 * @param isCelebrity whether it has so many followers that readers pull its posts
 */
@Serdeable
@Schema(name = "Profile")
record ProfileBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String displayName,
    @Nullable String bio,
    @Nullable AttachedMedia avatar,
    @Nullable AttachedMedia banner,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long followersCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long followingCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long postsCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean isCelebrity) {

  static ProfileBody of(User user, long followingCount, MediaAddresses addresses) {
    return new ProfileBody(
        user.userId(),
        user.handle(),
        user.displayName(),
        user.bio(),
        AttachedMedia.ofNullable(user.avatar(), addresses),
        AttachedMedia.ofNullable(user.banner(), addresses),
        user.createdAt(),
        user.followersCount(),
        followingCount,
        // A post that is deleted before the stream has counted it is subtracted first.
        Math.max(0, user.postsCount()),
        user.isCelebrity());
  }
}
