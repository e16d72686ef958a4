package social.feed.api.engagement;

import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostAccess;
import social.feed.api.user.AccountLookup;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Like;
import social.feed.table.row.Post;

/** Likes and takes likes back; a repeat changes nothing. */
@Singleton
final class LikeService {
  private final AccountLookup members;
  private final PostAccess access;
  private final Likes likes;
  private final InstantSource clock;

  LikeService(AccountLookup members, PostAccess access, Likes likes, InstantSource clock) {
    this.members = members;
    this.access = access;
    this.likes = likes;
    this.clock = clock;
  }

  /** Four or five read units and two write units. */
  LikeBody like(Viewer viewer, String postId) {
    members.caller(viewer);
    Post post = access.visible(viewer, postId);
    Like like =
        new Like(
            postId,
            viewer.userId(),
            post.authorId(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS));
    return new LikeBody(true, likes.add(like).orElse(like).createdAt());
  }

  /**
   * Also of a post that is not shown to the caller any more: the like is the caller's. One read
   * unit and two write units; where there is none, one write unit and what it takes to look whether
   * there is such a post.
   */
  void unlike(Viewer viewer, String postId) {
    members.caller(viewer);
    if (!likes.remove(postId, viewer.userId())) {
      access.visible(viewer, postId);
    }
  }
}
