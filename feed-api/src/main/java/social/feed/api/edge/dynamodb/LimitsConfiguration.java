package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import social.feed.table.graph.FollowRateLimit;

/**
 * How far things may go.
 *
 * @param followed the most accounts that one may follow (follow-system: 5 000)
 * @param kept the most accounts that one may unfollow and keep the posts of: a feed read to its end
 *     asks each of them, as it asks those who are followed
 * @param blocked the most accounts that one may block; as many may be muted
 * @param special the most accounts that one may follow specially, at most 30: a feed that begins
 *     with their posts asks each of them for every page, and its cursors name them all
 * @param dailyFollows the most follows of a user in a day of UTC
 * @param dailyUnfollows the most unfollows of a user in a day of UTC
 * @param unfollowAfter how long after a follow it cannot be undone
 * @param feedShards over how many partitions the feed entries of a new post are spread; a post
 *     keeps its number
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

  /** Thirty ids of the greatest length still leave a cursor room in an address of 4 KiB. */
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

  /** How fast one may follow and unfollow. */
  FollowRateLimit pace() {
    return new FollowRateLimit(dailyFollows, dailyUnfollows, unfollowAfter);
  }
}
