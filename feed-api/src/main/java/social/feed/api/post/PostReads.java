package social.feed.api.post;

import jakarta.inject.Singleton;
import java.util.Set;
import social.feed.api.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.table.engagement.Likes;
import social.feed.table.row.Post;
import social.feed.table.user.Users;

/** A post by itself. Four read units, five for one to followers, all strongly consistent. */
@Singleton
final class PostReads {
  private final PostAccess access;
  private final Users users;
  private final Likes likes;

  PostReads(PostAccess access, Users users, Likes likes) {
    this.access = access;
    this.users = users;
    this.likes = likes;
  }

  PostBody get(Viewer viewer, String postId) {
    Post post = access.visible(viewer, postId);
    AccountBody author =
        users.get(post.authorId()).map(AccountBody::of).orElseThrow(PostAccess::missing);
    boolean liked = likes.likedBy(viewer.userId(), Set.of(postId)).contains(postId);
    return PostBody.of(post, author, liked);
  }
}
