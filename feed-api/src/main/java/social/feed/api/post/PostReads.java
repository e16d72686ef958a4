package social.feed.api.post;

import jakarta.inject.Singleton;
import java.util.Set;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.table.engagement.Likes;

/** A post by itself. Four read units, five for one to followers, all strongly consistent. */
@Singleton
final class PostReads {
  private final PostAccess access;
  private final Likes likes;

  PostReads(PostAccess access, Likes likes) {
    this.access = access;
    this.likes = likes;
  }

  PostBody get(Viewer viewer, String postId) {
    AuthoredPost found = access.authored(viewer, postId);
    boolean liked = likes.likedBy(viewer.userId(), Set.of(postId)).contains(postId);
    return PostBody.of(found.post(), AccountBody.of(found.author()), liked);
  }
}
