package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.search.opensearch.ServerAddress;

/**
 * The search index on a server of OpenSearch. The function writes it, and the API searches it.
 * Without a server, the API responds 404 {@code search_off} to searches, and the function writes
 * none.
 *
 * @param url the address of the server, e.g. {@code https://search.example.com}; with {@code
 *     user:password@} where it wants that. API and multiplexer need the same one
 * @param region that of a domain of Amazon OpenSearch Service, whose requests are signed with the
 *     credentials of the process
 */
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
@ConfigurationProperties("feed.search")
public record SearchSettings(@Nullable String url, @Nullable String region) {
  static final String URL = "feed.search.url";

  /**
   * Returns the address of the server, if there is one.
   *
   * @throws IllegalArgumentException if it cannot be used; without the address in its message
   */
  Optional<ServerAddress> address() {
    return Optional.ofNullable(url)
        .map(text -> ServerAddress.ofSetting(URL, text, Optional.ofNullable(region)));
  }

  /** Omits the address, which may have a password. */
  @Override
  public String toString() {
    return "SearchSettings";
  }
}
