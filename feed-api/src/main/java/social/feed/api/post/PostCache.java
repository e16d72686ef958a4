package social.feed.api.post;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import social.feed.api.user.CacheConfiguration;
import social.feed.table.post.Posts;
import social.feed.table.row.Post;

/**
 * Reads posts for lists. A fresh post is read once for all callers. Eventually consistent; half a
 * read unit for 4 KB, and nothing while the post is fresh.
 */
@Singleton
final class PostCache {
  private final Posts posts;
  private final Cache<String, Post> fresh;

  PostCache(Posts posts, CacheConfiguration configuration, Ticker ticker) {
    this.posts = posts;
    this.fresh =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(configuration.cached())
            .maximumSize(configuration.remembered())
            .build();
  }

  /** Returns the posts that exist, by id. */
  Map<String, Post> getAll(Collection<String> postIds) {
    return fresh.getAll(postIds, missing -> posts.getAll(List.copyOf(missing), false));
  }
}
