package social.feed.api.post;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import social.feed.api.edge.cache.RedisServer;

/** As {@link ITDeliveryLimit}, with the buckets in a shared cache. */
class ITSharedDeliveryLimit extends ITDeliveryLimit {
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
