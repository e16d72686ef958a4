package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.PostMedia;

/**
 * An image of a post or profile, as it was when the post was written or the picture was set.
 *
 * @param bytes the size of the upload
 * @param alt a description for people who do not see the image
 * @param width of the original, in pixels
 * @param height of the original, in pixels
 */
@Serdeable
@Schema(name = "PostMedia")
public record AttachedMedia(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String contentType,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long bytes,
    @Nullable String alt,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int width,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) int height,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) ImageAddresses files) {

  /** As {@link #of}, absent for an absent image. */
  public static @Nullable AttachedMedia ofNullable(
      @Nullable PostMedia file, MediaAddresses addresses) {
    return file == null ? null : of(file, addresses);
  }

  /** Returns an image with addresses, for a caller who may see the post or profile. */
  public static AttachedMedia of(PostMedia file, MediaAddresses addresses) {
    return new AttachedMedia(
        file.mediaId(),
        file.contentType(),
        file.bytes(),
        file.alt(),
        file.width(),
        file.height(),
        addresses.of(file.mediaId(), file.contentType()));
  }
}
