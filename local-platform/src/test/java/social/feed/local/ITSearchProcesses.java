package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.local.PlatformSettings.Processes;
import social.feed.local.index.RemoteIndex;
import social.feed.search.EntryKind;
import social.feed.testkit.LongRunning;
import social.feed.testkit.OpenSearchServer;
import social.feed.testkit.Polling;

/** Several processes of the API that search one index on a server. */
@LongRunning
class ITSearchProcesses {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static List<String> found(Caller caller, String words) {
    return caller.all("/v1/search/posts?q=" + words, "id", 10);
  }

  @Test
  void eachProcess_findsWhatAnyWrote(@TempDir Path folder) {
    try (var server = OpenSearchServer.start(folder)) {
      var settings =
          PlatformSettings.in(folder.resolve("data")).withSearch(server.url(), new Processes(2, 1));
      try (var platform = LocalPlatform.start(settings)) {
        URI first = platform.apis().get(0);
        URI second = platform.apis().get(1);
        var ada = Caller.registered(first, "ada_o");
        var there = Caller.withToken(second, "ada_o");
        var kept = ada.writes("Tea in the garden");
        var deleted = ada.writes("Tea in the house");
        Polling.until(() -> found(there, "tea").equals(List.of(deleted, kept)));
        // On a busy machine, the first search of a process may take longer than a search may.
        Polling.until(() -> found(ada, "garden").equals(List.of(kept)));
        Polling.until(
            () -> there.all("/v1/search/accounts?q=ada", "id", 10).equals(List.of("ada_o")));

        ada.delete("/v1/posts/" + deleted);
        platform.drain(PATIENCE);
        Polling.until(() -> found(there, "tea").equals(List.of(kept)));
        try (var index = RemoteIndex.of(second).orElseThrow()) {
          Polling.until(() -> index.statesAfter(EntryKind.POST, "", 10).size() == 1);
        }
      }
    }
  }

  /** Commands that compare an index then compare none. */
  @Test
  void processOfTheApi_withoutAServer_hasNoIndex(@TempDir Path folder) {
    var settings =
        new PlatformSettings(
            Optional.of(folder.resolve("data")),
            0,
            0,
            0,
            PlatformSettings.CELEBRITY_THRESHOLD,
            new Processes(1, 0),
            false,
            List.of());
    try (var platform = LocalPlatform.start(settings)) {
      assertThat(RemoteIndex.of(platform.api())).isEmpty();
    }
  }
}
