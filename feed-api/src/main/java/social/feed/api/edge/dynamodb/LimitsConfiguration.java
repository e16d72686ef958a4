package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import social.feed.table.graph.FollowRateLimit;

/**
 * The limits of the product.
 *
 * @param followed the maximum number of accounts that a user can follow
 * @param kept the maximum number of accounts that a user can unfollow with their posts kept: a feed
 *     that is read to its end queries each of them, like each followed account
 * @param blocked the maximum number of accounts that a user can block, and the same for mutes
 * @param special the maximum number of accounts that a user can follow specially, at most 30: each
 *     page of a feed that begins with their posts queries each of them, and its cursors contain all
 *     their ids
 * @param dailyFollows the maximum number of follows of a user in a UTC day
 * @param dailyUnfollows the maximum number of unfollows of a user in a UTC day
 * @param unfollowAfter how long after a follow an unfollow is refused
 * @param feedShards the number of partitions over which the feed entries of a new post are spread;
 *     an existing post keeps its number
 */
@ConfigurationProperties("feed.limits")
public record LimitsConfiguration(
    @Bindable(defaultValue = "5000") long followed,
    @Bindable(defaultValue = "1000") long kept,
    @Bindable(defaultValue = "5000") long blocked,
    @Bindable(defaultValue = "30") int special,
    @Bindable(defaultValue = "10000") long dailyFollows,
    @Bindable(defaultValue = "10000") long dailyUnfollows,
    @Bindable(defaultValue = "0s") Duration unfollowAfter,
    @Bindable(defaultValue = "4") int feedShards) {
  private static final int FEED_SHARDS_MAX = 1_000;

  /** A cursor with thirty ids of maximum length still fits into an address of 4 KiB. */
  private static final int SPECIAL_MAX = 30;

  public LimitsConfiguration {
    if (followed < 1) {
      throw new IllegalArgumentException("feed.limits.followed is not positive: " + followed);
    }
    if (kept < 1) {
      throw new IllegalArgumentException("feed.limits.kept is not positive: " + kept);
    }
    if (blocked < 1) {
      throw new IllegalArgumentException("feed.limits.blocked is not positive: " + blocked);
    }
    if (special < 1 || special > SPECIAL_MAX) {
      throw new IllegalArgumentException("feed.limits.special is not 1 to 30: " + special);
    }
    if (dailyFollows < 1 || dailyUnfollows < 1 || unfollowAfter.isNegative()) {
      throw new IllegalArgumentException(
          "feed.limits.daily-follows and daily-unfollows are positive, unfollow-after is not"
              + " negative");
    }
    if (feedShards < 1 || feedShards > FEED_SHARDS_MAX) {
      throw new IllegalArgumentException("feed.limits.feed-shards is not 1 to 1000: " + feedShards);
    }
  }

  /** Returns the limits on how fast a user can follow and unfollow. */
  FollowRateLimit pace() {
    return new FollowRateLimit(dailyFollows, dailyUnfollows, unfollowAfter);
  }
}
