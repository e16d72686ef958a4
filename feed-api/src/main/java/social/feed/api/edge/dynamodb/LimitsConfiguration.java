package social.feed.api.edge.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import social.feed.table.graph.FollowRateLimit;
import social.feed.table.row.Post;

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
 * @param slowedFollows the maximum number of follows, and of unfollows, of a user in a UTC day
 *     while an operator slows the user down
 * @param feedShards the number of partitions over which the feed entries of a new post are spread;
 *     an existing post keeps its number
 */
@ConfigurationProperties("feed.limits")
public record LimitsConfiguration(
    @Bindable(defaultValue = "5000") @Min(1) long followed,
    @Bindable(defaultValue = "1000") @Min(1) long kept,
    @Bindable(defaultValue = "5000") @Min(1) long blocked,
    @Bindable(defaultValue = "30") @Min(1) @Max(LimitsConfiguration.SPECIAL_MAX) int special,
    @Bindable(defaultValue = "400") @Min(1) long dailyFollows,
    @Bindable(defaultValue = "400") @Min(1) long dailyUnfollows,
    @Bindable(defaultValue = "10m") @PositiveOrZero Duration unfollowAfter,
    @Bindable(defaultValue = "10") @Min(1) long slowedFollows,
    @Bindable(defaultValue = "" + Post.FEED_SHARDS)
        @Min(1)
        @Max(LimitsConfiguration.FEED_SHARDS_MAX)
        int feedShards) {
  private static final int FEED_SHARDS_MAX = 1_000;

  /** A cursor with thirty ids of maximum length still fits into an address of 4 KiB. */
  private static final int SPECIAL_MAX = 30;

  /** Returns the limits on how fast a user can follow and unfollow. */
  FollowRateLimit pace() {
    return new FollowRateLimit(dailyFollows, dailyUnfollows, unfollowAfter, slowedFollows);
  }
}
