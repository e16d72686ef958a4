package social.feed.api.edge.rate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.cache.SharedCache;

/**
 * The buckets of recent callers: in the shared cache, where all processes take from the same ones,
 * and otherwise in the memory of this process. A process that loses the shared cache goes on from
 * the buckets that it saw there last. From the same ones it refuses callers without asking, until
 * they must have a token again: no process adds tokens.
 */
public final class Buckets {
  /**
   * As {@link TokenBucket}, by the clock of the server. The arguments are those of {@link Refill},
   * the tokens, and whether they are charged without asking (1) or taken if there is one. A full
   * bucket is equivalent to none, and so is what is no bucket.
   */
  private static final String TAKE =
      """
      local clock = redis.call('TIME')
      local now = clock[1] + clock[2] / 1000000
      local rate, burst, debt = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
      local more, charged = tonumber(ARGV[4]), ARGV[5] == '1'
      local tokens = burst
      local before, at = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) (%S+)$')
      before, at = tonumber(before or ''), tonumber(at or '')
      if before and at and before == before and at == at then
        tokens = math.max(-debt, math.min(burst, before + math.max(0, now - at) * rate))
      end
      local admitted = 1
      if charged or tokens >= 1 then
        tokens = math.max(tokens - more, -debt)
      else
        admitted = 0
      end
      redis.call('SET', KEYS[1], string.format('%.17g %.17g', tokens, now),
          'PX', math.ceil((burst - tokens) / rate * 1000) + 1)
      return {admitted, string.format('%.17g', tokens)}
      """;

  private final String kind;
  private final SharedCache shared;
  private final Refill refill;
  private final InstantSource clock;
  private final Cache<String, TokenBucket> buckets;

  /**
   * @param kind what is limited, in the keys of the shared cache
   * @param callers the most callers in memory; beyond it the least recent ones start with a full
   *     bucket again
   */
  public Buckets(String kind, Refill refill, int callers, InstantSource clock, SharedCache shared) {
    this.kind = kind;
    this.shared = shared;
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

  /** Whether taking waits for the shared cache, so that an event loop must not take. */
  boolean isShared() {
    return shared.isAvailable();
  }

  /** Takes a token of a caller, and returns the bucket. May wait for the shared cache. */
  public TokenBucket take(String caller) {
    return take(caller, 1);
  }

  /**
   * Takes tokens of a caller, down to a debt, if there is at least one. Returns the bucket. May
   * wait for the shared cache.
   */
  public TokenBucket take(String caller, double tokens) {
    return refused(caller)
        .or(() -> inShared(caller, tokens, false))
        .orElseGet(() -> takeOwn(caller, tokens));
  }

  /** Returns the bucket of a caller who has no token, as far as this process knows. */
  private Optional<TokenBucket> refused(String caller) {
    Instant now = clock.instant();
    @Nullable TokenBucket known = buckets.getIfPresent(caller);
    if (known != null && known.at().isAfter(now)) {
      known = buckets.asMap().computeIfPresent(caller, (_, before) -> before.notAfter(now));
    }
    return Optional.ofNullable(known)
        .map(bucket -> bucket.after(refill, 1, now))
        .filter(bucket -> !bucket.isAdmitted());
  }

  /** As {@link #take}, in the memory of this process alone: for what must not wait. */
  TokenBucket takeOwn(String caller, double tokens) {
    var now = clock.instant();
    return buckets
        .asMap()
        .compute(
            caller,
            (_, before) ->
                (before == null ? TokenBucket.full(refill, now) : before)
                    .after(refill, tokens, now));
  }

  /**
   * Takes more tokens of a caller, down to a debt. Returns the bucket, empty for an unknown one.
   * May wait for the shared cache.
   */
  public Optional<TokenBucket> charge(String caller, double more) {
    return inShared(caller, more, true).or(() -> chargeOwn(caller, more));
  }

  /** As {@link #charge}, in the memory of this process alone: for what must not wait. */
  Optional<TokenBucket> chargeOwn(String caller, double more) {
    return Optional.ofNullable(
        buckets.asMap().computeIfPresent(caller, (_, before) -> before.charged(refill, more)));
  }

  private Optional<TokenBucket> inShared(String caller, double tokens, boolean isCharge) {
    if (!shared.isAvailable()) {
      return Optional.empty();
    }
    var arguments =
        Stream.of(refill.perSecond(), refill.burst(), refill.debt(), tokens, isCharge ? 1 : 0)
            .map(String::valueOf)
            .toArray(String[]::new);
    var bucket =
        shared
            .run(TAKE, List.of(shared.key(kind, caller)), arguments)
            .map(
                answer ->
                    new TokenBucket(
                        Double.parseDouble((String) answer.get(1)),
                        clock.instant(),
                        (Long) answer.get(0) == 1));
    bucket.ifPresent(latest -> buckets.put(caller, latest));
    return bucket;
  }
}
