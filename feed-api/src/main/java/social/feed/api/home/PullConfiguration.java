package social.feed.api.home;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;

/**
 * Caching of the authors whose posts are pulled.
 *
 * @param registryCached how long the list of pulled authors is cached; a post of a new celebrity
 *     can appear that late in feeds. Zero checks it with every page.
 * @param readersRemembered number of readers whose followed pulled authors are cached; a reader who
 *     follows more than 20 of them counts as several
 */
@ConfigurationProperties("feed.pull")
public record PullConfiguration(
    @Bindable(defaultValue = "1s") @PositiveOrZero Duration registryCached,
    @Bindable(defaultValue = "10000") @Min(0) long readersRemembered) {}
