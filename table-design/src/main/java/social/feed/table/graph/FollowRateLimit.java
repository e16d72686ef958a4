package social.feed.table.graph;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import social.feed.table.row.FollowQuota;

/**
 * How often a user may follow and unfollow; it limits spam.
 *
 * @param followsADay the most follows of a user in a day of UTC
 * @param unfollowsADay the most unfollows of a user in a day of UTC
 * @param coolDown how long after a follow the user cannot undo it
 * @param slowedADay the most follows, and the most unfollows, of a user in a day of UTC while an
 *     operator slows the user down
 */
public record FollowRateLimit(
    long followsADay, long unfollowsADay, Duration coolDown, long slowedADay) {
  /** No limit, not even for users who are slowed down. */
  public static final FollowRateLimit ANY =
      new FollowRateLimit(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO);

  public FollowRateLimit {
    if (followsADay < 1 || unfollowsADay < 1 || coolDown.isNegative() || slowedADay < 1) {
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

  /** Creates a limit that is the same for users who are slowed down. */
  public FollowRateLimit(long followsADay, long unfollowsADay, Duration coolDown) {
    this(followsADay, unfollowsADay, coolDown, Math.max(followsADay, unfollowsADay));
  }

  /** Returns the most follows of the day of a time. */
  long follows(FollowQuota quota, Instant now) {
    return quota.isSlowedAt(now) ? Math.min(slowedADay, followsADay) : followsADay;
  }

  /** Returns the most unfollows of the day of a time. */
  long unfollows(FollowQuota quota, Instant now) {
    return quota.isSlowedAt(now) ? Math.min(slowedADay, unfollowsADay) : unfollowsADay;
  }

  boolean isAny() {
    return equals(ANY);
  }

  /**
   * Returns when a user who is slowed down may go on: when the slow-down ends, or with the next day
   * if that is sooner.
   */
  public static Instant endOfSlowDown(FollowQuota quota, Instant now) {
    var nextDay = nextDay(now);
    var until = quota.slowedUntil();
    return until != null && until.isAfter(now) && until.isBefore(nextDay) ? until : nextDay;
  }

  /** Returns when the numbers of the next day begin. */
  public static Instant nextDay(Instant now) {
    return now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS);
  }
}
