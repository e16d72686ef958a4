package social.feed.api.live;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/**
 * Tells a client to read its first pages, since it was not sent everything.
 *
 * @param reason why not
 */
@Serdeable
record ResyncBody(Reason reason) {

  /** Why a client is not sent everything. */
  @Serdeable
  enum Reason {
    /** It was away for too long. */
    @JsonProperty("too_old")
    TOO_OLD,
    /** Too much has happened. */
    @JsonProperty("too_many")
    TOO_MANY
  }
}
