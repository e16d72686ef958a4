package social.feed.ctl;

import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.local.index.IndexUpkeep;
import social.feed.local.index.RemoteIndex;
import social.feed.local.index.ServerIndex;
import social.feed.local.index.TableIndex;
import social.feed.table.kernel.store.Table;

/** The option that selects the search index. */
final class IndexOptions {
  @Option(
      names = "--search-url",
      paramLabel = "URL",
      description =
          "the server of OpenSearch with the search index; without it the platform at --url is asked for its"
              + " own, and with --region none is compared")
  private @Nullable URI server;

  /** Returns the index; empty where there is none. */
  Optional<IndexUpkeep> of(TableOptions options, Table table) {
    if (server != null) {
      return Optional.of(new TableIndex(table, ServerIndex.at(server)));
    }
    return options.isOfAws()
        ? Optional.empty()
        : RemoteIndex.of(options.url()).map(IndexUpkeep.class::cast);
  }

  /**
   * Returns the index.
   *
   * @throws IllegalStateException if there is none
   */
  IndexUpkeep required(TableOptions options, Table table) {
    return of(options, table)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no search index. A platform with several processes of the API (--api) and a"
                        + " table of AWS have one on a server only: name it with --search-url."));
  }
}
