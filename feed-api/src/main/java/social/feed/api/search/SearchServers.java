package social.feed.api.search;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import social.feed.search.SearchIndex;
import social.feed.search.opensearch.OpenSearchIndex;

/** Provides the search index on a server. Without an address, no class of its client is loaded. */
@Factory
final class SearchServers {
  /**
   * Opens the index at the start, without a request: a wrong setting fails the start, a server that
   * is away fails searches only. The words that it cuts load the rules of Unicode, before a
   * snapshot of the process.
   */
  @Context
  @Bean(preDestroy = "close")
  @Requires(property = "feed.search.url")
  SearchIndex index(SearchConfiguration configuration) {
    var index =
        OpenSearchIndex.later(
            configuration.address(),
            OpenSearchIndex.NAME,
            InstantSource.system(),
            OpenSearchIndex.LONGEST_SEARCH);
    try {
      var _ = index.highlights("some words", "words");
      return index;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
