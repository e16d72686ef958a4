package social.feed.api.edge.cache;

import com.github.benmanes.caffeine.cache.Cache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Values of a cache, each read once for all callers who need it at the same time. They share the
 * failure of a read too: a read of its own for each of them, one after the other, would let the
 * last one wait for all. A slow read holds up no other key. Thread-safe.
 */
public final class CachedReads<K, V> {
  private final Cache<K, V> cache;

  /** The reads that are under way. */
  private final ConcurrentMap<K, CompletableFuture<V>> running = new ConcurrentHashMap<>();

  /**
   * @param cache keeps what was read; without a loader
   */
  public CachedReads(Cache<K, V> cache) {
    this.cache = cache;
  }

  /** Returns the cached value of a key, or that of the read that is under way, or reads it. */
  public V get(K key, Supplier<V> reader) {
    @Nullable V cached = cache.getIfPresent(key);
    if (cached != null) {
      return cached;
    }
    var own = new CompletableFuture<V>();
    @Nullable CompletableFuture<V> other = running.putIfAbsent(key, own);
    return other == null ? read(key, own, reader) : result(other);
  }

  private V read(K key, CompletableFuture<V> own, Supplier<V> reader) {
    try {
      // Another read may have ended after this caller looked.
      @Nullable V cached = cache.getIfPresent(key);
      V value = cached == null ? reader.get() : cached;
      if (cached == null) {
        cache.put(key, value);
      }
      own.complete(value);
      return value;
    } catch (RuntimeException | Error e) {
      own.completeExceptionally(e);
      throw e;
    } finally {
      running.remove(key, own);
    }
  }

  private static <V> V result(CompletableFuture<V> read) {
    try {
      return read.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
