package social.feed.api.home;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How posts of celebrities are found.
 *
 * @param registryCached how long the list of pulled authors is used before it is read again; a post
 *     of a new celebrity can be that late in feeds. Zero reads it with every page.
 * @param readersRemembered of how many readers it is kept in memory whom of those they follow
 */
@ConfigurationProperties("feed.pull")
public record PullConfiguration(
    @Bindable(defaultValue = "1s") Duration registryCached,
    @Bindable(defaultValue = "10000") long readersRemembered) {

  public PullConfiguration {
    if (registryCached.isNegative() || readersRemembered < 0) {
      throw new IllegalArgumentException(
          "feed.pull.registry-cached and feed.pull.readers-remembered are not negative");
    }
  }
}
