package social.feed.local.index;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;

/** Opens the search index on a server of OpenSearch. */
public final class ServerIndex {
  /** The beginning of the names of its indexes there. */
  private static final String NAME = "feed";

  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(2);

  private ServerIndex() {}

  /**
   * Opens the index, and creates it there if absent.
   *
   * @param server such as {@code http://localhost:9200}, or with {@code user:password@}
   * @throws IllegalStateException with what to do, if the server does not answer
   */
  public static SearchIndex at(URI server) {
    try {
      return OpenSearchIndex.at(server, NAME, InstantSource.system(), LONGEST_SEARCH);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "The search index cannot be opened: %s. Start its server, or name another one with --search-url."
              .formatted(e.getMessage()),
          e);
    }
  }
}
