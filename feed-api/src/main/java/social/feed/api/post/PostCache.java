package social.feed.api.post;

import io.micronaut.serde.annotation.SerdeImport;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import social.feed.api.user.HotCache;
import social.feed.api.user.HotCaches;
import social.feed.table.post.Posts;
import social.feed.table.row.Mention;
import social.feed.table.row.Post;
import social.feed.table.row.PostMedia;

/**
 * Reads posts for lists. A fresh post is read once for all callers. Eventually consistent; half a
 * read unit for 4 KB, and nothing while the post is fresh.
 */
@Singleton
@SerdeImport(Post.class)
@SerdeImport(Mention.class)
@SerdeImport(PostMedia.class)
final class PostCache {
  private final HotCache<Post> fresh;

  PostCache(Posts posts, HotCaches caches) {
    this.fresh = caches.of("post", Post.class, ids -> posts.getAll(ids, false));
  }

  /** Returns the posts that exist, by id. */
  Map<String, Post> getAll(Collection<String> postIds) {
    return fresh.getAll(postIds);
  }
}
