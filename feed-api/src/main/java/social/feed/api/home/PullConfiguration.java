package social.feed.api.home;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Caching of the authors whose posts are pulled.
 *
 * @param registryCached how long the list of pulled authors is cached; a post of a new celebrity
 *     can appear that late in feeds. Zero reads it with every page.
 * @param readersRemembered number of readers whose followed pulled authors are cached
 */
@ConfigurationProperties("feed.pull")
public record PullConfiguration(
    @Bindable(defaultValue = "1s") Duration registryCached,
    @Bindable(defaultValue = "10000") long readersRemembered) {

  public PullConfiguration {
    if (registryCached.isNegative() || readersRemembered < 0) {
      throw new IllegalArgumentException(
          "feed.pull.registry-cached and feed.pull.readers-remembered must not be negative");
    }
  }
}
