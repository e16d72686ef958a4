package social.feed.api.graph;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import social.feed.api.edge.cache.CachedReads;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.FollowQuota;

/**
 * Reads whole lists of what accounts follow: half a unit for each 4 KB, some 20 accounts. The list
 * comes from an index, which may be late. One that the quota proves is kept for the requests that
 * follow, for the same version of the quota. So a request that needs it twice reads it once, and
 * requests of one caller at the same time read it once.
 */
@Singleton
public final class FollowedLists {
  /** The accounts in all lists, some 20 MB. */
  private static final int ACCOUNTS_MAX = 200_000;

  /** {@link FolloweeCache} and the home feed keep for longer what they take from a list. */
  private static final Duration KEPT = Duration.ofSeconds(10);

  private final FollowEdges follows;
  private final Cache<Version, Listed> lists;
  private final CachedReads<Version, Listed> reads;

  private record Version(String userId, long version) {}

  /**
   * A list of followed accounts.
   *
   * @param accounts those that the index shows
   * @param isProven whether the quota proves that these are all
   */
  public record Listed(Set<String> accounts, boolean isProven) {}

  public FollowedLists(FollowEdges follows) {
    this.follows = follows;
    this.lists =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(ACCOUNTS_MAX)
            .weigher((Version _, Listed list) -> 1 + list.accounts().size())
            .expireAfterWrite(KEPT)
            .build();
    this.reads = new CachedReads<>(lists);
  }

  /** Returns the accounts that an account follows, as far as the index shows them. */
  public Listed of(FollowQuota quota) {
    var version = version(quota);
    var listed = reads.get(version, () -> read(quota));
    if (!listed.isProven()) {
      lists.invalidate(version);
    }
    return listed;
  }

  /** Returns the accounts that an account follows, if they are known without a read. */
  Optional<Listed> known(FollowQuota quota) {
    return Optional.ofNullable(lists.getIfPresent(version(quota))).filter(Listed::isProven);
  }

  private static Version version(FollowQuota quota) {
    return new Version(quota.userId(), quota.version());
  }

  private Listed read(FollowQuota quota) {
    Set<String> accounts = Set.copyOf(follows.followees(quota.userId()));
    return new Listed(accounts, quota.isListedBy(accounts));
  }
}
