package social.feed.api.post;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/** Why the caller is entitled to a post in the home feed. */
@Serdeable
enum FeedReason {
  /** The caller wrote it. */
  @JsonProperty("own")
  OWN,
  /** The caller follows its author. */
  @JsonProperty("followed")
  FOLLOWED,
  /** The caller unfollowed its author and kept the earlier posts. */
  @JsonProperty("kept_history")
  KEPT_HISTORY
}
