package social.feed.api.ranking;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;

/**
 * Caching of leaderboards, and the half-life of trends.
 *
 * @param halfLife time in which a use of a tag loses half its weight, in whole hours; must equal
 *     {@code feed.multiplexer.trend-half-life} of the stream's function. A change starts a new
 *     list, which is complete after eight half-lives.
 * @param cached how long a ranking is served to all callers. Zero reads it with every request.
 * @param pastCached the same for the followers of a past month, which cost the most to read
 */
@ConfigurationProperties("feed.ranking")
public record RankingConfiguration(
    @Bindable(defaultValue = "6h") @Positive Duration halfLife,
    @Bindable(defaultValue = "1s") @PositiveOrZero Duration cached,
    @Bindable(defaultValue = "30s") @PositiveOrZero Duration pastCached) {}
