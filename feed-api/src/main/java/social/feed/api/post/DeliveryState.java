package social.feed.api.post;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/** Progress of the delivery of a post. */
@Serdeable
enum DeliveryState {
  /** The multiplexer has not started it. */
  @JsonProperty("pending")
  PENDING,
  /** The multiplexer is still finding followers, and has delivered to some. */
  @JsonProperty("planning")
  PLANNING,
  /** All followers are known; delivery to some of them is pending. */
  @JsonProperty("delivering")
  DELIVERING,
  /** All entitled followers have the post. */
  @JsonProperty("delivered")
  DELIVERED,
  /** Delivery to some followers failed until an operator redrives the dead letters. */
  @JsonProperty("failed")
  FAILED
}
