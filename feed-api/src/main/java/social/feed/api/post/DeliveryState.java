package social.feed.api.post;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/** How far the delivery of a post is. */
@Serdeable
enum DeliveryState {
  /** The multiplexer has not come to it. */
  @JsonProperty("pending")
  PENDING,
  /** Followers are being counted, and some served. */
  @JsonProperty("planning")
  PLANNING,
  /** All followers are known, and some are not served yet. */
  @JsonProperty("delivering")
  DELIVERING,
  /** Everybody who is owed it has it. */
  @JsonProperty("delivered")
  DELIVERED,
  /** Some followers cannot be served until somebody looks at the dead letters. */
  @JsonProperty("failed")
  FAILED
}
