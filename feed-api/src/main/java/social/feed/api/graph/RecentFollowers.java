package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import social.feed.api.edge.cache.CachedReads;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FollowRef;
import social.feed.table.row.User;

/**
 * Returns followers of an account, newest first. The first part of a celebrity's list is requested
 * often, and one index partition serves it. It is read once for all callers while it is fresh: two
 * read units at most, instead of half a unit for each 4 KB of each request. The caller's rules
 * apply to the cached list, so a block counts at once.
 */
@Singleton
final class RecentFollowers {
  /** Cached followers of a list. Longer and later pages are read from the table. */
  private static final int CACHED_MAX = 100;

  private final FollowEdges follows;
  private final CachedReads<String, Page<FollowRef>> newest;

  RecentFollowers(FollowEdges follows, RecentFollowersConfiguration configuration) {
    this.follows = follows;
    this.newest =
        new CachedReads<>(
            Caffeine.newBuilder()
                .expireAfterWrite(configuration.cached())
                .maximumSize(configuration.celebritiesRemembered())
                .build());
  }

  /** Returns a part of the list, with the same positions from the cache and from the table. */
  Page<FollowRef> page(User followee, PageRequest request) {
    boolean isCached =
        followee.isCelebrity() && request.after() == null && request.limit() <= CACHED_MAX;
    String followeeId = followee.userId();
    return isCached
        ? newest.get(followeeId, () -> newest(followeeId)).first(request.limit())
        : follows.followers(followeeId, request);
  }

  private Page<FollowRef> newest(String followeeId) {
    return follows.followers(followeeId, new PageRequest(CACHED_MAX, null));
  }
}
