package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * The addresses of an image, relative to the address of the API, or absolute. They end after some
 * minutes.
 *
 * @param original as it was uploaded, without metadata
 * @param medium at most 1080 pixels wide and high
 * @param small at most 320 pixels wide and high
 */
@Serdeable
@Schema(name = "MediaFiles")
public record ImageAddresses(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String original,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String medium,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String small) {}
