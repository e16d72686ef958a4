package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;

/**
 * Where and how to send the bytes of a file. The answer has a status of 200 to 299.
 *
 * @param address relative to the address of the API, or absolute
 * @param headers to send with the bytes, as they are
 * @param expiresAt when the address ends, and the file with it unless it is completed
 */
@Serdeable
@Schema(name = "MediaUpload")
record UploadBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String method,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String address,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Map<String, String> headers,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant expiresAt) {
  /** The method of every upload. */
  static final String PUT = "PUT";
}
