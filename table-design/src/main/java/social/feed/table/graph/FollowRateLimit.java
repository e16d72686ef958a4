package social.feed.table.graph;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * How fast one may follow and unfollow (follow-system: against spam).
 *
 * @param followsADay the most follows of a user in a day of UTC
 * @param unfollowsADay the most unfollows of a user in a day of UTC
 * @param coolDown how long after a follow it cannot be undone
 */
public record FollowRateLimit(long followsADay, long unfollowsADay, Duration coolDown) {
  /** As fast as they like. */
  public static final FollowRateLimit ANY =
      new FollowRateLimit(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO);

  public FollowRateLimit {
    if (followsADay < 1 || unfollowsADay < 1 || coolDown.isNegative()) {
      throw new IllegalArgumentException(
          "A pace allows at least one follow and unfollow a day, and a cool-down is not negative: "
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

  /** When the numbers of a day begin anew. */
  public static Instant nextDay(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
  }
}
