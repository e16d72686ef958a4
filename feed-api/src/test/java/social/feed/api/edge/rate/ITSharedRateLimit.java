package social.feed.api.edge.rate;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import social.feed.api.edge.cache.RedisServer;

/** As {@link ITRateLimit}, with the buckets in a shared cache. */
class ITSharedRateLimit extends ITRateLimit {
  private static final RedisServer REDIS = new RedisServer();

  @AfterAll
  static void stopCache() {
    REDIS.close();
  }

  @Override
  Map<String, Object> settings() {
    return REDIS.with(super.settings());
  }
}
