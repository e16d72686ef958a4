package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Media;

/**
 * A file of the caller.
 *
 * @param bytes the size of the upload
 * @param width of the original in pixels, absent while pending
 * @param height of the original in pixels, absent while pending
 * @param postId the post that shows it
 * @param shownAs the picture of the profile that it is
 * @param files absent while pending
 */
@Serdeable
@Schema(name = "Media")
record MediaBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) MediaState state,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String contentType,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long bytes,
    @Nullable String alt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Nullable Integer width,
    @Nullable Integer height,
    @Nullable String postId,
    @Nullable PictureUse shownAs,
    @Nullable ImageAddresses files) {

  static MediaBody of(Media media, MediaAddresses addresses) {
    return new MediaBody(
        media.mediaId(),
        media.isComplete() ? MediaState.COMPLETE : MediaState.PENDING,
        media.contentType(),
        media.bytes(),
        media.alt(),
        media.createdAt(),
        media.width(),
        media.height(),
        media.postId(),
        media.shownAs() == null ? null : PictureUse.of(media.shownAs()),
        media.isComplete() ? addresses.of(media.mediaId(), media.contentType()) : null);
  }
}
