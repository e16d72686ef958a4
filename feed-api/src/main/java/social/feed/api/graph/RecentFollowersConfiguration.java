package social.feed.api.graph;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How followers of celebrities are read.
 *
 * @param cached how long the newest followers of a celebrity are shown to all callers before they
 *     are read again; a follow or an unfollow can be that late in the list. Zero reads them with
 *     every request.
 * @param celebritiesRemembered of how many celebrities they are kept, some 10 KB each
 */
@ConfigurationProperties("feed.recent-followers")
public record RecentFollowersConfiguration(
    @Bindable(defaultValue = "1s") Duration cached,
    @Bindable(defaultValue = "1000") long celebritiesRemembered) {

  public RecentFollowersConfiguration {
    if (cached.isNegative() || celebritiesRemembered < 0) {
      throw new IllegalArgumentException(
          "feed.recent-followers.cached and feed.recent-followers.celebrities-remembered are not"
              + " negative");
    }
  }
}
