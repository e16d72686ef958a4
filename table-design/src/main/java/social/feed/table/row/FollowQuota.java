package social.feed.table.row;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many accounts a user follows: {@code USER#<id> / QUOTA}. Written in one transaction with each
 * edge, so it is exact and can hold the cap and the pace.
 *
 * @param userId the follower
 * @param following how many edges the user has
 * @param version grows by one with each change; guards the copy in the {@link User}
 * @param day of UTC to which the two numbers belong, absent while nobody limits them
 * @param follows of that day
 * @param unfollows of that day
 */
public record FollowQuota(
    String userId,
    long following,
    long version,
    @Nullable Instant day,
    long follows,
    long unfollows)
    implements Row {
  public static final String VERSION = "version";

  private static final String SORT = "QUOTA";

  /** One whose pace nobody limits. */
  public FollowQuota(String userId, long following, long version) {
    this(userId, following, version, null, 0, 0);
  }

  public static Key key(String userId) {
    return new Key(Keys.user(userId), SORT);
  }

  /** The quota of somebody who never followed anybody. */
  public static FollowQuota none(String userId) {
    return new FollowQuota(userId, 0, 0);
  }

  /** The quota after some edges more, or fewer. */
  public FollowQuota plus(long edges) {
    return corrected(Math.max(0, following + edges), version + 1);
  }

  /** The quota with another number of edges. */
  public FollowQuota corrected(long edges, long newVersion) {
    return new FollowQuota(userId, edges, newVersion, day, follows, unfollows);
  }

  /** The quota with the numbers of the day of a time, which are none where it is another day. */
  public FollowQuota on(Instant now) {
    var today = now.truncatedTo(ChronoUnit.DAYS);
    return today.equals(day) ? this : new FollowQuota(userId, following, version, today, 0, 0);
  }

  /** The quota with one more follow of its day. */
  public FollowQuota followedOnce() {
    return new FollowQuota(userId, following, version, day, follows + 1, unfollows);
  }

  /** The quota with one more unfollow of its day. */
  public FollowQuota unfollowedOnce() {
    return new FollowQuota(userId, following, version, day, follows, unfollows + 1);
  }

  @Override
  public Key key() {
    return key(userId);
  }
}
