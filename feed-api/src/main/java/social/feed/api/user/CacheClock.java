package social.feed.api.user;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Secondary;
import jakarta.inject.Singleton;

/** Provides the clock by which cached posts and accounts grow old. */
@Factory
final class CacheClock {

  /** Secondary, so that a test can pass a clock of its own. */
  @Singleton
  @Secondary
  Ticker ticker() {
    return Ticker.systemTicker();
  }
}
