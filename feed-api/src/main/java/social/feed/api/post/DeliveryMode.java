package social.feed.api.post;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import social.feed.table.row.FanOutMode;

/** How a post reaches the followers of its author. */
@Serdeable
enum DeliveryMode {
  @JsonProperty("push")
  PUSH,
  @JsonProperty("pull")
  PULL;

  static DeliveryMode of(FanOutMode stored) {
    return switch (stored) {
      case PUSH -> PUSH;
      case PULL -> PULL;
    };
  }
}
