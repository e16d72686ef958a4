package social.feed.api.dynamodb;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * How far things may go.
 *
 * @param followed the most accounts that one may follow (follow-system: 5 000)
 * @param blocked the most accounts that one may block; as many may be muted
 * @param feedShards over how many partitions the feed entries of a new post are spread; a post
 *     keeps its number
 */
@ConfigurationProperties("feed.limits")
public record LimitsConfiguration(
    @Bindable(defaultValue = "5000") long followed,
    @Bindable(defaultValue = "5000") long blocked,
    @Bindable(defaultValue = "4") int feedShards) {
  private static final int FEED_SHARDS_MAX = 1_000;

  public LimitsConfiguration {
    if (followed < 1) {
      throw new IllegalArgumentException("feed.limits.followed is not positive: " + followed);
    }
    if (blocked < 1) {
      throw new IllegalArgumentException("feed.limits.blocked is not positive: " + blocked);
    }
    if (feedShards < 1 || feedShards > FEED_SHARDS_MAX) {
      throw new IllegalArgumentException("feed.limits.feed-shards is not 1 to 1000: " + feedShards);
    }
  }
}
