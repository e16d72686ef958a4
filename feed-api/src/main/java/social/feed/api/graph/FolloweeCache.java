package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.api.edge.security.Viewer;
import social.feed.table.graph.FollowEdges;

/**
 * Caches which accounts the callers follow. An entry is valid for one version of the caller's
 * quota. Each follow and unfollow changes the version in its own transaction, on any server, so an
 * entry is never stale. One read unit for the version, once a request, and one for each account
 * that is not cached for it.
 */
@Singleton
public final class FolloweeCache {
  /** Some 20 MB; an evicted entry costs a read unit. */
  private static final int ENTRIES_MAX = 200_000;

  /** Bounds staleness after a manual repair, which removes edges without changing the version. */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private final FollowEdges follows;
  private final Cache<Edge, Boolean> cached;

  /** A possible follow edge, in a version of the follower's quota. */
  private record Edge(String followerId, long version, String accountId) {}

  FolloweeCache(FollowEdges follows) {
    this.follows = follows;
    this.cached = Caffeine.newBuilder().maximumSize(ENTRIES_MAX).expireAfterWrite(MAX_AGE).build();
  }

  /** Returns those of some accounts that the caller follows. */
  public Set<String> among(Viewer viewer, Collection<String> accountIds) {
    if (accountIds.size() < 2) {
      return follows.followedAmong(viewer.userId(), accountIds);
    }
    long version = viewer.quota().version();
    return cached
        .getAll(
            accountIds.stream().map(id -> new Edge(viewer.userId(), version, id)).toList(),
            missing -> read(viewer.userId(), missing))
        .entrySet()
        .stream()
        .filter(Map.Entry::getValue)
        .map(entry -> entry.getKey().accountId())
        .collect(Collectors.toSet());
  }

  private Map<Edge, Boolean> read(String followerId, Set<? extends Edge> missing) {
    Set<String> followed =
        follows.followedAmong(followerId, missing.stream().map(Edge::accountId).toList());
    return missing.stream()
        .collect(
            Collectors.toMap(Function.identity(), edge -> followed.contains(edge.accountId())));
  }
}
