package social.feed.local.index;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;
import social.feed.search.opensearch.ServerAddress;
import social.feed.streams.sink.SinkMessage;
import social.feed.table.kernel.declaration.Retention;

/** Opens the search index on a server of OpenSearch. */
public final class ServerIndex {
  /** In this time the last message about a deleted row arrives, redriven dead letters included. */
  public static final Duration DELETIONS_KEPT = Retention.LATEST_EFFECT.plus(SinkMessage.PATIENCE);

  private ServerIndex() {}

  /**
   * Removes the tombstones that no message may need. Returns when the server has done that, which
   * may take minutes.
   */
  public static void forgetDeletions(SearchIndex index) throws IOException {
    index.forgetDeletions(Instant.now().minus(DELETIONS_KEPT));
  }

  /**
   * Opens the index, and creates it there if absent.
   *
   * @param server such as {@code http://localhost:9200}, or with {@code user:password@}
   * @throws IllegalStateException with what to do, if the server does not answer
   */
  public static SearchIndex at(URI server) {
    return at(server, Optional.empty());
  }

  /**
   * Opens the index like {@link #at(URI)}.
   *
   * @param region that of a domain of Amazon OpenSearch Service, whose requests are signed with the
   *     credentials of this user
   */
  public static SearchIndex at(URI server, Optional<String> region) {
    try {
      return OpenSearchIndex.at(
          new ServerAddress(server, region),
          OpenSearchIndex.NAME,
          InstantSource.system(),
          OpenSearchIndex.LONGEST_SEARCH);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "The search index cannot be opened: %s. Start its server, or name another one with --search-url."
              .formatted(e.getMessage()),
          e);
    }
  }
}
