package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.media.ImageSize;
import social.feed.table.row.Media;

/**
 * A file of the caller.
 *
 * @param bytes the size of the upload
 * @param width of the original in pixels, absent while pending
 * @param height of the original in pixels, absent while pending
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
    @Nullable Files files) {

  /**
   * The addresses of an image, relative to the address of the API. They end after some minutes.
   *
   * @param medium at most 1080 pixels wide and high
   * @param small at most 320 pixels wide and high
   */
  @Serdeable
  @Schema(name = "MediaFiles")
  record Files(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String original,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String medium,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String small) {}

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
        media.isComplete() ? files(media, addresses) : null);
  }

  private static Files files(Media media, MediaAddresses addresses) {
    ImageType type = ImageType.of(media.contentType());
    return new Files(
        addresses.file(media.mediaId(), ImageSize.ORIGINAL.object(type.suffix())),
        addresses.file(media.mediaId(), ImageSize.MEDIUM.object(type.suffix())),
        addresses.file(media.mediaId(), ImageSize.SMALL.object(type.suffix())));
  }
}
