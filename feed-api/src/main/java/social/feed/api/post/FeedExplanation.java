package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.home.FeedView;
import social.feed.table.row.Post;

/**
 * Why a post is in the caller's home feed.
 *
 * @param reason what entitles the caller to it
 * @param mode whether it was written into the feed, or found with its author: because the author is
 *     pulled, or because it is older than what the feed stores
 */
@Serdeable
@Schema(name = "FeedExplanation")
record FeedExplanation(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) FeedReason reason,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) DeliveryMode mode) {

  static FeedExplanation of(FeedView view, Post post, boolean isFollowed) {
    boolean isStored =
        post.mayBeStoredFor(view.readerId()) && !post.createdAt().isBefore(view.storedSince());
    return new FeedExplanation(
        reason(view, post, isFollowed), isStored ? DeliveryMode.PUSH : DeliveryMode.PULL);
  }

  private static FeedReason reason(FeedView view, Post post, boolean isFollowed) {
    if (view.readerId().equals(post.authorId())) {
      return FeedReason.OWN;
    }
    return isFollowed ? FeedReason.FOLLOWED : FeedReason.KEPT_HISTORY;
  }
}
