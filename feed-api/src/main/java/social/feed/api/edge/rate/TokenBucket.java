package social.feed.api.edge.rate;

import java.time.Duration;
import java.time.Instant;

/**
 * The remaining requests of a caller: one token a request, refilled at a steady rate up to the
 * burst. An expensive response takes more tokens, which can leave a debt.
 *
 * @param tokens the tokens at that time; below one after a refused request, below zero in debt
 * @param at the time of the last request
 * @param isAdmitted whether the last request was admitted
 */
record TokenBucket(double tokens, Instant at, boolean isAdmitted) {
  /** A debt is at most so many bursts. */
  static final int BURSTS_OF_DEBT = 10;

  private static final double NANOS = 1e9;

  static TokenBucket full(RateConfiguration rate, Instant now) {
    return new TokenBucket(rate.burst(), now, true);
  }

  /** Returns the bucket after one more request. A clock that runs back refills nothing. */
  TokenBucket after(RateConfiguration rate, Instant now) {
    double passed = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
    double filled = Math.min(rate.burst(), tokens + passed * rate.perSecond());
    Instant latest = now.isAfter(at) ? now : at;
    return filled >= 1
        ? new TokenBucket(filled - 1, latest, true)
        : new TokenBucket(filled, latest, false);
  }

  /** Returns the bucket after a response that counts as more requests than one. */
  TokenBucket charged(RateConfiguration rate, double more) {
    return new TokenBucket(
        Math.max(tokens - more, -(double) BURSTS_OF_DEBT * rate.burst()), at, isAdmitted);
  }

  /** Returns the number of requests that the caller may send at once. */
  long remaining() {
    return Math.max(0, (long) tokens);
  }

  /** Returns the time until the next request is admitted. */
  Duration untilNext(RateConfiguration rate) {
    return wait(1 - tokens, rate);
  }

  /** Returns the time until a whole burst is admitted. */
  Duration untilFull(RateConfiguration rate) {
    return wait(rate.burst() - tokens, rate);
  }

  private static Duration wait(double missing, RateConfiguration rate) {
    return Duration.ofNanos((long) Math.ceil(Math.max(0, missing) / rate.perSecond() * NANOS));
  }
}
