package social.feed.api.search;

import io.micronaut.context.annotation.ConfigurationProperties;
import jakarta.validation.constraints.Pattern;
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
@ConfigurationProperties("feed.search")
record SearchConfiguration(
    @Nullable @Pattern(regexp = "https?://.+") String url, @Nullable String region) {

  /**
   * Returns the address of the server.
   *
   * @throws IllegalArgumentException if there is none, or it cannot be used
   */
  ServerAddress address() {
    return ServerAddress.ofSetting(
        "feed.search.url", String.valueOf(url), Optional.ofNullable(region));
  }

  /** Omits the address, which may have a password. */
  @Override
  public String toString() {
    return "SearchConfiguration";
  }
}
