package social.feed.api.engagement;

import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.OwnLikes;
import social.feed.api.post.PostAccess;
import social.feed.api.user.AccountLookup;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Like;
import social.feed.table.row.Post;

/** Adds and removes likes; a repeat changes nothing. */
@Singleton
final class LikeService {
  private final AccountLookup accounts;
  private final PostAccess access;
  private final Likes likes;
  private final OwnLikes own;
  private final InstantSource clock;

  LikeService(
      AccountLookup accounts, PostAccess access, Likes likes, OwnLikes own, InstantSource clock) {
    this.accounts = accounts;
    this.access = access;
    this.likes = likes;
    this.own = own;
    this.clock = clock;
  }

  /**
   * Likes a post. Three and a half or four read units, two for the caller's own post; three write
   * units.
   */
  LikeBody like(Viewer viewer, String postId) {
    accounts.caller(viewer);
    Post post = access.visible(viewer, postId);
    Like like = Like.of(post, viewer.userId(), clock.instant().truncatedTo(ChronoUnit.MILLIS));
    Instant likedAt = likes.add(like).orElse(like).createdAt();
    own.wrote(viewer.userId(), postId);
    return new LikeBody(true, likedAt);
  }

  /**
   * Removes a like, also from a post that is no longer visible to the caller: the like is the
   * caller's. One read unit and three write units. Without a like: one write unit, and the reads of
   * {@link PostAccess#visible} to check that the post exists.
   */
  void unlike(Viewer viewer, String postId) {
    accounts.caller(viewer);
    boolean existed = likes.remove(postId, viewer.userId());
    own.wrote(viewer.userId(), postId);
    if (!existed) {
      access.visible(viewer, postId);
    }
  }
}
