package social.feed.search.lucene;

import java.time.Duration;

/**
 * Multiplies the score of a post: by four when it is new, by two and a half after a week, and by
 * almost one after years. So a good match never loses all weight.
 *
 * @param now the time that ages are counted to, in milliseconds
 */
public record Recency(long now) {
  /** The largest factor. */
  public static final double MOST = 4;

  /** The age in milliseconds at which half of the rise is left. */
  public static final double HALF = Duration.ofDays(7).toMillis();

  /** Returns the factor of a time. An earlier time never has a larger one. */
  double factor(long time) {
    return 1 + (MOST - 1) * HALF / (HALF + Math.max(0, now - time));
  }
}
