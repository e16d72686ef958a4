package social.feed.api.edge.cache;

import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;

/** Provides the shared cache. Without an address, no class of its client is loaded. */
@Factory
final class SharedCaches {

  @Singleton
  @Requires(missingProperty = "feed.cache.url")
  SharedCache none() {
    return SharedCache.NONE;
  }

  /** Connects at the start, so that the first request is counted by the cache. */
  @Context
  @Bean(preDestroy = "close")
  @Requires(property = "feed.cache.url")
  RedisCache redis(
      SharedCacheConfiguration configuration, DynamoDbConfiguration table, MeterRegistry registry) {
    return new RedisCache(configuration, table, registry);
  }
}
