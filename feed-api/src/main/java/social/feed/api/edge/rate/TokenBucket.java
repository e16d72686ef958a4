package social.feed.api.edge.rate;

import java.time.Duration;
import java.time.Instant;

/**
 * The remaining tokens of a caller: one a request, refilled at a steady rate up to the burst. A
 * change or an expensive request takes more tokens, which can leave a debt.
 *
 * @param tokens the tokens at that time; below one after a refused request, below zero in debt
 * @param at the time of the last request
 * @param isAdmitted whether the last request was admitted
 */
public record TokenBucket(double tokens, Instant at, boolean isAdmitted) {
  private static final double NANOS = 1e9;

  /** Requests that come together may have their times in another order. */
  private static final Duration JITTER = Duration.ofSeconds(1);

  static TokenBucket full(Refill refill, Instant now) {
    return new TokenBucket(refill.burst(), now, true);
  }

  /**
   * Returns the bucket after one more request, which is admitted if there is a token, and takes as
   * many as it counts as. A clock that runs back refills nothing. After a step of more than a
   * second the time after it refills again; requests that come in another order than their times
   * refill nothing twice.
   */
  TokenBucket after(Refill refill, double requests, Instant now) {
    Instant latest = now.isAfter(at) || isStepped(now) ? now : at;
    double passed = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
    double filled = Math.min(refill.burst(), tokens + passed * refill.perSecond());
    return filled >= 1
        ? new TokenBucket(Math.max(filled - requests, -refill.debt()), latest, true)
        : new TokenBucket(filled, latest, false);
  }

  /** Returns the bucket with an earlier time, if the clock has run back to it. */
  TokenBucket notAfter(Instant now) {
    return isStepped(now) ? new TokenBucket(tokens, now, isAdmitted) : this;
  }

  /** Whether the clock has been set back since the last request. */
  private boolean isStepped(Instant now) {
    return at.minus(JITTER).isAfter(now);
  }

  /** Returns the bucket after a response that counts as more requests than one. */
  TokenBucket charged(Refill refill, double more) {
    return new TokenBucket(Math.max(tokens - more, -refill.debt()), at, isAdmitted);
  }

  /** Returns the number of requests that the caller may send at once. */
  long remaining() {
    return Math.max(0, (long) tokens);
  }

  /** Returns the time until the next request is admitted. */
  public Duration untilNext(Refill refill) {
    return wait(1 - tokens, refill);
  }

  /** Returns the time until a whole burst is admitted. */
  Duration untilFull(Refill refill) {
    return wait(refill.burst() - tokens, refill);
  }

  private static Duration wait(double missing, Refill refill) {
    return Duration.ofNanos((long) Math.ceil(Math.max(0, missing) / refill.perSecond() * NANOS));
  }
}
