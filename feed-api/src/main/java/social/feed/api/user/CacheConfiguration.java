package social.feed.api.user;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How posts and accounts are read that many callers ask for at once.
 *
 * @param cached how long a post or an account is shown in lists before it is read again: a change
 *     or a delete can be that late there, and nowhere else. Zero reads them with every page.
 * @param remembered how many posts are kept, and how many accounts; some 2 KB each
 */
@ConfigurationProperties("feed.hot")
public record CacheConfiguration(
    @Bindable(defaultValue = "1s") Duration cached,
    @Bindable(defaultValue = "10000") long remembered) {

  public CacheConfiguration {
    if (cached.isNegative() || remembered < 0) {
      throw new IllegalArgumentException(
          "feed.hot.cached and feed.hot.remembered are not negative");
    }
  }
}
