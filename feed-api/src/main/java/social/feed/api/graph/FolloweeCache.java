package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import social.feed.api.edge.security.Viewer;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.FollowQuota;

/**
 * Caches which accounts the callers follow. An entry is valid for one version of the caller's
 * quota. Each follow and unfollow changes the version in its own transaction, on any server, so an
 * entry is never stale. One read unit for the version, once a request.
 *
 * <p>Accounts that are not cached cost the less of two: one unit each, or a list of all followed
 * accounts, half a unit for each 4 KB. The list comes from an index, which may be late, and counts
 * only where the quota proves it. Otherwise each account is read as well.
 */
@Singleton
public final class FolloweeCache {
  /** Some 20 MB; an evicted entry costs a read unit. */
  private static final int ENTRIES_MAX = 200_000;

  /** Bounds staleness after a manual repair, which removes edges without changing the version. */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  /** An edge in the index has up to 400 bytes. */
  private static final long LISTED_PER_UNIT = 20;

  private final FollowEdges follows;
  private final FollowedLists lists;
  private final Cache<Edge, Boolean> cached;

  /** A possible follow edge, in a version of the follower's quota. */
  private record Edge(String followerId, long version, String accountId) {}

  FolloweeCache(FollowEdges follows, FollowedLists lists) {
    this.follows = follows;
    this.lists = lists;
    this.cached = Caffeine.newBuilder().maximumSize(ENTRIES_MAX).expireAfterWrite(MAX_AGE).build();
  }

  /** Returns those of some accounts that the caller follows. */
  public Set<String> among(Viewer viewer, Collection<String> accountIds) {
    if (accountIds.size() < 2) {
      return follows.followedAmong(viewer.userId(), accountIds);
    }
    FollowQuota quota = viewer.quota();
    return cached
        .getAll(
            accountIds.stream().map(id -> new Edge(quota.userId(), quota.version(), id)).toList(),
            missing -> read(quota, missing))
        .entrySet()
        .stream()
        .filter(Map.Entry::getValue)
        .map(entry -> entry.getKey().accountId())
        .collect(Collectors.toSet());
  }

  private Map<Edge, Boolean> read(FollowQuota quota, Set<? extends Edge> missing) {
    Set<String> followed =
        listed(quota, missing.size())
            .orElseGet(
                () ->
                    follows.followedAmong(
                        quota.userId(), missing.stream().map(Edge::accountId).toList()));
    return missing.stream()
        .collect(
            Collectors.toMap(Function.identity(), edge -> followed.contains(edge.accountId())));
  }

  /** Returns all accounts that the caller follows, where a list costs less and is certain. */
  private Optional<Set<String>> listed(FollowQuota quota, int missing) {
    boolean isWorthARead =
        quota.followeesHash() != null && 1 + quota.following() / LISTED_PER_UNIT < missing;
    return lists
        .known(quota)
        .or(() -> isWorthARead ? Optional.of(lists.of(quota)) : Optional.empty())
        .filter(FollowedLists.Listed::isProven)
        .map(FollowedLists.Listed::accounts);
  }
}
