package social.feed.api.edge.cache;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The cache that the processes of the API share.
 *
 * @param url the address of one Valkey or Redis server from version 6.2 on, not of a cluster, e.g.
 *     {@code redis://localhost:6379}; {@code rediss://} for TLS, and {@code
 *     rediss://user:password@} for a password. With it, rates of callers and deliveries of authors
 *     are limited for all processes together, and posts and accounts of lists are read once for all
 *     of them. Without it, and while the server does not answer, each process has its own
 * @param timeout how long a request waits for one answer of the cache; then the process goes on
 *     without the cache, and tries it again once a second. A request waits as long for an item that
 *     another one reads
 */
@ConfigurationProperties("feed.cache")
record SharedCacheConfiguration(
    @Nullable @Pattern(regexp = "rediss?://.+") String url,
    @Bindable(defaultValue = "100ms") @Positive Duration timeout) {

  /** Omits the address, which may have a password. */
  @Override
  public String toString() {
    return "SharedCacheConfiguration[" + timeout + "]";
  }
}
