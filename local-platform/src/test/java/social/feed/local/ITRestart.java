package social.feed.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import social.feed.engine.DataFolderException;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.PortTakenException;
import social.feed.engine.Storage;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.declaration.TableDeclaration;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.testkit.LongRunning;

/** Tests that answered writes survive a stop and a kill of the process. */
@LongRunning
class ITRestart {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void stop_losesNothing(@TempDir Path data) {
    String post;
    String cursor;
    Caller ben;
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      var ada = Caller.registered(platform.api(), "ada");
      ben = Caller.registered(platform.api(), "ben");
      ben.follows(ada);
      ada.writes("older");
      post = ada.writes("kept");
      platform.drain(PATIENCE);
      cursor = ben.get("/v1/feed?limit=1").text("next_cursor");
    }
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      platform.drain(PATIENCE);
      var again = new Caller(platform.api(), ben.id(), ben.token());

      assertThat(again.all("/v1/feed", "id", 10)).first().isEqualTo(post);
      assertThat(again.get("/v1/feed?limit=1&cursor=" + cursor).status())
          .as("tokens and cursors of the earlier run are valid")
          .isEqualTo(200);
      assertThat(again.get("/v1/users/ada").body().path("followers_count").asLong()).isEqualTo(1);
      assertThat(again.get("/v1/users/ada").body().path("posts_count").asLong()).isEqualTo(2);
    }
  }

  @Test
  void kill_losesNoAnsweredWrite(@TempDir Path data) throws Exception {
    var answered = new ArrayList<String>();
    var process = start(data);
    try {
      var api = api(process);
      var ada = Caller.registered(api, "ada");
      var ben = Caller.registered(api, "ben");
      ben.follows(ada);
      for (int number = 0; number < 20; number++) {
        answered.add(ada.writes("post " + number));
      }
    } finally {
      // The multiplexer still processes these posts.
      process.toHandle().destroyForcibly();
      process.waitFor();
    }
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      platform.drain(PATIENCE);
      var ben = Caller.withToken(platform.api(), "ben");

      assertThat(ben.all("/v1/feed", "id", 7)).isEqualTo(answered.reversed());
      var ada = ben.get("/v1/users/ada").body();
      assertThat(ada.path("posts_count").asLong()).isEqualTo(answered.size());
      assertThat(ada.path("followers_count").asLong()).isEqualTo(1);
    }
  }

  @Test
  void dataOfAnotherTable_areRejectedWithARemedy(@TempDir Path data) {
    var declared = FeedTable.DECLARATION;
    var fewer =
        new TableDeclaration(
            declared.partitionKey(),
            declared.sortKey(),
            declared.ttlAttribute(),
            declared.indexes().subList(1, declared.indexes().size()),
            false,
            false);
    try (var engine =
            LocalDynamoDb.start(Storage.folder(data.resolve("dynamodb")), ListenOn.anyPort());
        var client = engine.newClient()) {
      new TableProvisioning(client, fewer).ensure(PlatformSettings.TABLE);
    }

    assertThatThrownBy(() -> LocalPlatform.start(PlatformSettings.in(data)))
        .hasMessageContaining("another version of the table")
        .hasMessageContaining(Index.POSTS_BY_AUTHOR.indexName())
        .hasMessageContaining("--data");
  }

  @Test
  void takenPort_isReported() {
    try (var first = LocalPlatform.start(PlatformSettings.inMemory())) {
      int api = first.api().getPort();
      int dynamodb = first.dynamodb().getPort();
      int queue = first.deadLetters().getPort();

      assertTaken(api, ports(api, 0, 0));
      assertTaken(dynamodb, ports(0, dynamodb, 0));
      assertTaken(queue, ports(0, 0, queue));
    }
  }

  private static void assertTaken(int port, PlatformSettings settings) {
    assertThatThrownBy(() -> LocalPlatform.start(settings))
        .isInstanceOfSatisfying(
            PortTakenException.class, e -> assertThat(e.port()).isEqualTo(port));
  }

  @Test
  void partFailsToOpen_closesTheOthers(@TempDir Path data) throws IOException {
    Files.writeString(data.resolve("queue"), "a file where a folder should be");
    assertThatThrownBy(() -> LocalPlatform.start(PlatformSettings.in(data)))
        .isInstanceOf(DataFolderException.class);

    Files.delete(data.resolve("queue"));
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      assertThat(Caller.registered(platform.api(), "ada").get("/health").status()).isEqualTo(200);
    }
  }

  @Test
  void damagedSearchIndex_isRejectedWithARemedy(@TempDir Path data) throws IOException {
    LocalPlatform.start(PlatformSettings.in(data)).close();
    var index = data.resolve("search");
    for (var file : files(index)) {
      if (file.getFileName().toString().startsWith("segments_")) {
        Files.writeString(file, "overwritten, with some more characters than a header has");
      }
    }
    assertThatThrownBy(() -> LocalPlatform.start(PlatformSettings.in(data)))
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining(index.toString())
        .hasMessageContaining("damaged")
        .hasMessageContaining("./feed reindex");

    for (var file : files(index)) {
      Files.delete(file);
    }
    Files.delete(index);
    try (var platform = LocalPlatform.start(PlatformSettings.in(data))) {
      assertThat(Caller.registered(platform.api(), "ada").get("/health").status()).isEqualTo(200);
      assertThatThrownBy(() -> new DataFolder.OnDisk(data).search())
          .isInstanceOf(DataFolderException.class)
          .hasMessageContaining("Stop the other run");
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void searchFolderThatIsAFile_isRejectedWithARemedy(@TempDir Path data) throws IOException {
    Files.writeString(data.resolve("search"), "a file where a folder should be");
    assertThatThrownBy(() -> LocalPlatform.start(PlatformSettings.in(data)))
        .isInstanceOf(DataFolderException.class)
        .hasMessageContaining("cannot be written to");
  }

  @Test
  void stoppedParts_areNotStarted(@TempDir Path data) {
    var parts = new PlatformParts();
    parts.close();

    assertThatThrownBy(() -> LocalPlatform.start(PlatformSettings.in(data), parts))
        .isInstanceOf(CancellationException.class);
    assertThat(data).isEmptyDirectory();
  }

  /** Returns the address of the API, from the line of the output that has it. */
  private static URI api(Process process) {
    return process
        .inputReader()
        .lines()
        .filter(line -> line.startsWith("http://"))
        .map(URI::create)
        .findFirst()
        .orElseThrow();
  }

  private static Process start(Path data) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                PlatformProcess.class.getName(),
                data.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static PlatformSettings ports(int api, int dynamodb, int queue) {
    return new PlatformSettings(
        Optional.empty(), api, dynamodb, queue, PlatformSettings.CELEBRITY_THRESHOLD);
  }
}
