package social.feed.api.edge.rate;

import jakarta.inject.Singleton;
import social.feed.api.edge.problem.ProblemException;

/** The rate of a caller, for changes that a signed address identifies in place of a token. */
@Singleton
public final class CallerRate {
  private final TokenBuckets buckets;

  CallerRate(TokenBuckets buckets) {
    this.buckets = buckets;
  }

  /**
   * Counts a change by an account. May wait for the shared cache, so never call it in an event
   * loop.
   *
   * @throws ProblemException {@code rate_limited}
   */
  public void take(String userId) {
    buckets.takeChange(CallerKeys.member(userId));
  }
}
