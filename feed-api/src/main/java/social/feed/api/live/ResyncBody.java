package social.feed.api.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/**
 * Requires a client to read its first pages, because the stream skips missed events.
 *
 * @param reason why it skips them
 */
@Serdeable
record ResyncBody(Reason reason) {

  /** Why a stream skips missed events. */
  @Serdeable
  enum Reason {
    /** The client was disconnected for too long. */
    @JsonProperty("too_old")
    TOO_OLD,
    /** The client missed too many events. */
    @JsonProperty("too_many")
    TOO_MANY
  }
}
