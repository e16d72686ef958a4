package social.feed.table.graph;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How often a user may follow and unfollow; it limits spam.
 *
 * @param followsADay the most follows of a user in a day of UTC
 * @param unfollowsADay the most unfollows of a user in a day of UTC
 * @param coolDown how long after a follow the user cannot undo it
 */
public record FollowRateLimit(long followsADay, long unfollowsADay, Duration coolDown) {
  /** No limit. */
  public static final FollowRateLimit ANY =
      new FollowRateLimit(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO);

  public FollowRateLimit {
    if (followsADay < 1 || unfollowsADay < 1 || coolDown.isNegative()) {
      throw new IllegalArgumentException(
          "A rate limit allows at least one follow and one unfollow a day, and its cool-down is not"
              + " negative: "
              + followsADay
              + ", "
              + unfollowsADay
              + ", "
              + coolDown);
    }
  }

  boolean isAny() {
    return equals(ANY);
  }

  /** Returns when the numbers of the next day begin. */
  public static Instant nextDay(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
  }
}
