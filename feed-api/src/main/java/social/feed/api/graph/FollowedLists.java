package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.FollowQuota;

/**
 * Reads whole lists of what accounts follow: half a unit for each 4 KB, some 20 accounts. The list
 * comes from an index, which may be late. One that the quota proves is kept for the requests that
 * follow, for the same version of the quota. So a request that needs it twice reads it once.
 */
@Singleton
public final class FollowedLists {
  /** The accounts in all lists, some 20 MB. */
  private static final int ACCOUNTS_MAX = 200_000;

  /** {@link FolloweeCache} and the home feed keep for longer what they take from a list. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final FollowEdges follows;
  private final Cache<Version, Set<String>> proven;

  private record Version(String userId, long version) {}

  /** Creates the reader of lists. */
  public FollowedLists(FollowEdges follows) {
    this.follows = follows;
    this.proven =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(ACCOUNTS_MAX)
            .weigher((Version _, Set<String> list) -> 1 + list.size())
            .expireAfterWrite(KEPT)
            .build();
  }

  /**
   * Returns the accounts that an account follows, as far as the index shows them. {@link
   * FollowQuota#isListedBy} says whether these are all.
   */
  public Set<String> of(FollowQuota quota) {
    var version = new Version(quota.userId(), quota.version());
    Set<String> known = proven.getIfPresent(version);
    if (known != null) {
      return known;
    }
    Set<String> read = follows.followees(quota.userId());
    if (quota.isListedBy(read)) {
      proven.put(version, read);
    }
    return read;
  }
}
