package social.feed.api.post;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;

/**
 * Posts for lists. One that many callers are shown at the same time is read once for all of them:
 * half a read unit for 4 KB, eventually consistent, and nothing while it is fresh.
 */
@Singleton
final class PostCache {
  private final Posts posts;
  private final Cache<String, Post> fresh;

  PostCache(Posts posts, CacheConfiguration configuration) {
    this.posts = posts;
    this.fresh =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.cached())
            .maximumSize(configuration.remembered())
            .build();
  }

  /** Those of some posts that are there, by their ids. */
  Map<String, Post> getAll(Collection<String> postIds) {
    return fresh.getAll(postIds, missing -> posts.getAll(List.copyOf(missing), false));
  }
}
