package social.feed.api.edge.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** The buckets of recent callers, in the memory of this process. */
public final class Buckets {
  private final Refill refill;
  private final InstantSource clock;
  private final Cache<String, TokenBucket> buckets;

  /**
   * @param callers the most callers in memory; beyond it the least recent ones start with a full
   *     bucket again
   */
  public Buckets(Refill refill, int callers, InstantSource clock) {
    this.refill = refill;
    this.clock = clock;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(callers)
            // A full bucket is equivalent to none.
            .expireAfterAccess(
                Duration.ofSeconds(1 + refill.burst() / refill.perSecond())
                    .plus(refill.longestDebt()))
            .build();
  }

  /** Takes a token of a caller, and returns the bucket. */
  public TokenBucket take(String caller) {
    var now = clock.instant();
    return buckets
        .asMap()
        .compute(
            caller,
            (_, before) ->
                (before == null ? TokenBucket.full(refill, now) : before).after(refill, now));
  }

  /**
   * Takes more tokens of a caller, down to a debt. Returns the bucket, empty for an unknown one.
   */
  public Optional<TokenBucket> charge(String caller, double more) {
    return Optional.ofNullable(
        buckets.asMap().computeIfPresent(caller, (_, before) -> before.charged(refill, more)));
  }
}
