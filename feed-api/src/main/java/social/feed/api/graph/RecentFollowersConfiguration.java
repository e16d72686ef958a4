package social.feed.api.graph;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;

/**
 * Caching of the followers of celebrities.
 *
 * @param cached how long the newest followers of a celebrity are served to all callers before they
 *     are read again; a follow or an unfollow can appear that late in the list. Zero reads them
 *     with every request.
 * @param celebritiesRemembered number of celebrities whose followers are cached, some 10 KB each
 */
@ConfigurationProperties("feed.recent-followers")
public record RecentFollowersConfiguration(
    @Bindable(defaultValue = "1s") @PositiveOrZero Duration cached,
    @Bindable(defaultValue = "1000") @Min(0) long celebritiesRemembered) {}
