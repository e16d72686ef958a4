package social.feed.api.edge.rate;

import java.time.Duration;

/**
 * How fast a bucket of tokens fills.
 *
 * @param perSecond tokens a second
 * @param burst the most tokens
 * @param debt how far below zero an expensive request can take it
 */
public record Refill(int perSecond, int burst, int debt) {
  /** Returns the longest time for which a debt keeps its caller waiting. */
  Duration longestDebt() {
    return Duration.ofSeconds(Math.ceilDiv(debt, perSecond));
  }
}
