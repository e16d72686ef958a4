package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.table.home.FeedView;
import social.feed.table.row.Post;

/**
 * Why a post is in the caller's home feed.
 *
 * @param reason why the caller is entitled to it
 * @param mode push: it is stored in the feed; pull: it is read from its author, because the author
 *     is pulled or the post is older than the stored feed
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
