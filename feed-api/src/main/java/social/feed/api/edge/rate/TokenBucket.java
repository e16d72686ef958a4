package social.feed.api.edge.rate;

import java.time.Duration;
import java.time.Instant;

/**
 * What a caller has left: a token a request, refilled at a steady rate up to the burst.
 *
 * @param tokens left at that time, below one when the last request was refused
 * @param at when it was last looked at
 * @param isAdmitted whether the last request was
 */
record TokenBucket(double tokens, Instant at, boolean isAdmitted) {
  private static final double NANOS = 1e9;

  static TokenBucket full(RateConfiguration rate, Instant now) {
    return new TokenBucket(rate.burst(), now, true);
  }

  /** After one more request. A clock that goes back refills nothing. */
  TokenBucket after(RateConfiguration rate, Instant now) {
    double passed = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
    double filled = Math.min(rate.burst(), tokens + passed * rate.perSecond());
    Instant latest = now.isAfter(at) ? now : at;
    return filled >= 1
        ? new TokenBucket(filled - 1, latest, true)
        : new TokenBucket(filled, latest, false);
  }

  /** Requests that may come at once. */
  long remaining() {
    return (long) tokens;
  }

  /** Until the next request may come. */
  Duration untilNext(RateConfiguration rate) {
    return wait(1 - tokens, rate);
  }

  /** Until a whole burst may come. */
  Duration untilFull(RateConfiguration rate) {
    return wait(rate.burst() - tokens, rate);
  }

  private static Duration wait(double missing, RateConfiguration rate) {
    return Duration.ofNanos((long) Math.ceil(Math.max(0, missing) / rate.perSecond() * NANOS));
  }
}
