package social.feed.ctl;

import java.util.Optional;
import social.feed.local.index.IndexUpkeep;
import social.feed.local.index.RemoteIndex;
import social.feed.table.kernel.store.Table;

/** The search index of a command. */
final class IndexOptions {
  /** Returns the index of the platform; empty where there is none. */
  Optional<IndexUpkeep> of(TableOptions options, Table table) {
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
                    "The platform has no search index. One that runs the API in processes of its own"
                        + " (--api) has none."));
  }
}
