package social.feed.api.edge.security;

import com.github.benmanes.caffeine.cache.Caffeine;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.function.Supplier;
import social.feed.api.edge.cache.CachedReads;
import social.feed.table.kernel.page.Page;
import social.feed.table.row.BlockOrMute;
import social.feed.table.row.FollowQuota;

/**
 * Caches the mutes of callers. An entry is valid for one version of the caller's quota. Each mute
 * and its end change the version in their own transaction, on any server, so an entry is never
 * stale. Blocks are not cached: a block by another account does not change the caller's version.
 */
@Singleton
final class MuteCache {
  /** Some 20 MB; an evicted entry costs a read unit. */
  private static final int MUTES_MAX = 50_000;

  /** Bounds staleness after a manual repair, which removes mutes without changing the version. */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private final CachedReads<Owner, Page<BlockOrMute>> cached =
      new CachedReads<>(
          Caffeine.newBuilder()
              .maximumWeight(MUTES_MAX)
              .weigher((Owner _, Page<BlockOrMute> mutes) -> 1 + mutes.slots().size())
              .expireAfterWrite(MAX_AGE)
              .build());

  /** An account, in a version of its quota. */
  private record Owner(String userId, long version) {}

  /** Returns the mutes of a version, and reads those that are not cached. */
  Page<BlockOrMute> of(FollowQuota quota, Supplier<Page<BlockOrMute>> stored) {
    return cached.get(new Owner(quota.userId(), quota.version()), stored);
  }
}
