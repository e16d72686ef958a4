package social.feed.ctl;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import social.feed.local.index.RemoteIndex;
import social.feed.local.index.ServerIndex;
import social.feed.search.SearchIndex;
import social.feed.streams.index.IndexUpkeep;
import social.feed.streams.index.TableIndex;
import social.feed.table.kernel.store.Table;

/** The option that selects the search index. */
final class IndexOptions {
  @Option(
      names = "--search-url",
      paramLabel = "URL",
      description =
          "the server of OpenSearch with the search index; without it the platform at --url is asked for its"
              + " own, and with --region none is compared. With --region, requests to an https address"
              + " without a user are signed with the credentials of this user")
  private @Nullable URI server;

  private @Nullable SearchIndex opened;

  /** Returns the index; empty where there is none. */
  Optional<IndexUpkeep> of(TableOptions options, Table table) {
    if (server != null) {
      opened = ServerIndex.at(server, signed(options, server));
      return Optional.of(new TableIndex(table, opened));
    }
    if (options.isOfAws()) {
      return Optional.empty();
    }
    var index = RemoteIndex.of(options.url());
    if (index.isPresent()) {
      var _ = PlatformMedia.folder(options.url(), options.endpoint());
    }
    return index.map(IndexUpkeep.class::cast);
  }

  /**
   * Removes old tombstones from an index on a server; a platform does that at its start.
   *
   * @throws IllegalStateException if the server refuses
   */
  void forgetDeletions() {
    try {
      if (opened != null) {
        ServerIndex.forgetDeletions(opened);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** A server with a user, or without TLS, is none of AWS. */
  private static Optional<String> signed(TableOptions options, URI server) {
    return Optional.ofNullable(options.region())
        .filter(_ -> "https".equals(server.getScheme()) && server.getUserInfo() == null);
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
