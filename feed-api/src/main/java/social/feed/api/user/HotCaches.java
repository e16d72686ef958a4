package social.feed.api.user;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import social.feed.api.edge.cache.SharedCache;

/** Creates the caches of posts and of accounts. */
@Singleton
public final class HotCaches {
  private final CacheConfiguration configuration;
  private final Ticker ticker;
  private final SharedCache shared;
  private final ObjectMapper json;

  /**
   * @param ticker the clock by which items grow old in the memory of this process
   */
  public HotCaches(
      CacheConfiguration configuration, Ticker ticker, SharedCache shared, ObjectMapper json) {
    this.configuration = configuration;
    this.ticker = ticker;
    this.shared = shared;
    this.json = json;
  }

  /**
   * Creates a cache.
   *
   * @param kind what it holds, in the keys of the shared cache
   * @param table reads the items that exist, by id
   */
  public <V> HotCache<V> of(
      String kind, Class<V> type, Function<List<String>, Map<String, V>> table) {
    return new HotCache<>(kind, type, table, configuration, ticker, shared, json);
  }
}
