package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.row.Delivery;

/**
 * Why a post is in the caller's home feed.
 *
 * @param reason what entitles the caller to it
 * @param mode whether it was written into the feed, or found with its author
 */
@Serdeable
@Schema(name = "FeedExplanation")
record FeedExplanation(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) FeedReason reason,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) DeliveryMode mode) {

  /** One's own feed holds an entry of each of one's posts. */
  static FeedExplanation own() {
    return new FeedExplanation(FeedReason.OWN, DeliveryMode.PUSH);
  }

  static FeedExplanation of(boolean isFollowed, Delivery delivery) {
    return new FeedExplanation(
        isFollowed ? FeedReason.FOLLOWED : FeedReason.KEPT_HISTORY, DeliveryMode.of(delivery));
  }
}
