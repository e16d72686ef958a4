package social.feed.api.engagement;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/**
 * The caller's like of a post.
 *
 * @param liked always true: this is the answer to a like request
 * @param likedAt when the caller first liked the post
 */
@Serdeable
@Schema(name = "Like")
record LikeBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean liked,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant likedAt) {}
