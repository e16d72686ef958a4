package social.feed.api.ranking;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How leaderboards are read.
 *
 * @param halfLife in which a use of a tag loses half its worth, in whole hours; the same as {@code
 *     feed.multiplexer.trend-half-life} of the stream's function. Another one begins a new list,
 *     which is complete after eight of its half-lives.
 * @param cached how long an answer is used for all callers. Zero reads it with every request.
 * @param pastCached the same for the followers of a month that is over, which take the most to read
 */
@ConfigurationProperties("feed.ranking")
public record RankingConfiguration(
    @Bindable(defaultValue = "6h") Duration halfLife,
    @Bindable(defaultValue = "1s") Duration cached,
    @Bindable(defaultValue = "30s") Duration pastCached) {

  public RankingConfiguration {
    if (cached.isNegative() || pastCached.isNegative()) {
      throw new IllegalArgumentException(
          "feed.ranking.cached and feed.ranking.past-cached are not negative");
    }
  }
}
