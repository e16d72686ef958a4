package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FollowRef;
import social.feed.table.row.User;

/**
 * Followers of an account, newest first. The beginning of a celebrity's list, which everybody asks
 * for and one index partition has to answer, is read once for all callers while it is fresh: two
 * read units at most, instead of half a unit for each 4 KB of each request. Whom a caller does not
 * see is left out afterwards, so a block counts at once.
 */
@Singleton
final class RecentFollowers {
  /** What is kept of a list. Longer pages, and what follows, are read. */
  private static final int KEPT = 100;

  private final FollowEdges follows;
  private final Cache<String, Page<FollowRef>> newest;

  RecentFollowers(FollowEdges follows, RecentFollowersConfiguration configuration) {
    this.follows = follows;
    this.newest =
        Caffeine.newBuilder()
            .expireAfterWrite(configuration.cached())
            .maximumSize(configuration.celebritiesRemembered())
            .build();
  }

  /** A part of the list, at the same positions wherever it comes from. */
  Page<FollowRef> page(User followee, PageRequest request) {
    boolean isKept = followee.isCelebrity() && request.after() == null && request.limit() <= KEPT;
    return isKept
        ? newest.get(followee.userId(), this::newest).first(request.limit())
        : follows.followers(followee.userId(), request);
  }

  private Page<FollowRef> newest(String followeeId) {
    return follows.followers(followeeId, new PageRequest(KEPT, null));
  }
}
