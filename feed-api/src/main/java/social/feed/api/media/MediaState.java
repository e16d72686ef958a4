package social.feed.api.media;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/** Whether the upload of a file was checked. */
@Serdeable
@Schema(name = "MediaState")
enum MediaState {
  @JsonProperty("pending")
  PENDING,
  @JsonProperty("complete")
  COMPLETE
}
