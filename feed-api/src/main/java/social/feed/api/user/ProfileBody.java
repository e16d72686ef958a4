package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.User;

/**
 * A profile.
 *
 * @param id the user id
 * @param handle as its owner wrote it
 * @param displayName its name
 * @param bio what its owner says
 * @param createdAt when it was registered
 * @param followersCount how many follow it, a moment old
 * @param followingCount how many it follows; exact in one's own profile, a moment old in others'
 * @param postsCount how many posts it has, a moment old
 * @param isCelebrity whether it has so many followers that its posts are delivered otherwise
 */
@Serdeable
@Schema(name = "Profile")
record ProfileBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String handle,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String displayName,
    @Nullable String bio,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long followersCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long followingCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long postsCount,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean isCelebrity) {

  static ProfileBody of(User user, long followingCount) {
    return new ProfileBody(
        user.userId(),
        user.handle(),
        user.displayName(),
        user.bio(),
        user.createdAt(),
        user.followersCount(),
        followingCount,
        user.postsCount(),
        user.isCelebrity());
  }
}
