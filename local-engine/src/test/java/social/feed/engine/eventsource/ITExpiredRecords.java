package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.EventSourceFixture.TIMEOUT;
import static social.feed.engine.eventsource.EventSourceFixture.range;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.engine.ForkedJvm;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;
import social.feed.engine.StreamedTestTable;

/**
 * A data folder whose records have expired since they were delivered. DynamoDB Local refuses to
 * read a shard of which all records are older than 24 hours. At a start it deletes those that are
 * older than 30 hours, and numbers the next one after the last that is left, or from 1 on.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITExpiredRecords {
  private static final EventSourceMapping MAPPING =
      EventSourceMapping.named("m").batchSize(5).build();

  @TempDir Path folder;

  private final Recorder function = new Recorder();

  @ParameterizedTest
  @ValueSource(ints = {1, 25, 31, 200})
  void restartAfterHours_isDrained_andDeliversNewRecords(int hours) {
    runAndPut(1, 20);
    change(
        "UPDATE us SET CreationDateTime = CreationDateTime - "
            + Duration.ofHours(hours).toMillis());

    var errors =
        LoggedErrors.of(
            ShardReader.class,
            () -> {
              runAndPut(21, 20);
              runAndPut(21, 25);
            });

    assertThat(errors).isEmpty();
    assertThat(function.numbers()).isEqualTo(range(1, 25));
  }

  /** As in a folder that an earlier version of the platform opened after two days. */
  @Test
  void restartWithoutAnyRecord_deliversNewRecords() {
    runAndPut(1, 20);
    change("DELETE FROM us");

    runAndPut(21, 25);

    assertThat(function.numbers()).isEqualTo(range(1, 25));
  }

  /** As in a folder that an earlier version opened after two days, and then wrote to. */
  @Test
  void restartWithLowNumbers_deliversNewRecords() {
    runAndPut(1, 20);
    change(
        "UPDATE us SET SequenceNumber ="
            + " SequenceNumber - (SELECT MIN(SequenceNumber) FROM us) + 1");

    runAndPut(21, 25);

    assertThat(function.numbers()).isEqualTo(range(1, 25));
  }

  /** Nothing is written for a day, while the engine runs. */
  @Test
  void recordsThatExpireMeanwhile_areTheTip() {
    var errors =
        LoggedErrors.of(
            ShardReader.class,
            () ->
                run(
                    (table, source) -> {
                      put(table, 1, 20);
                      source.drain(TIMEOUT);
                      change(
                          "UPDATE us SET CreationDateTime = CreationDateTime - "
                              + Duration.ofHours(25).toMillis());
                      source.drain(TIMEOUT);
                      put(table, 21, 25);
                      source.drain(TIMEOUT);
                    }));

    assertThat(errors).isEmpty();
    assertThat(function.numbers()).isEqualTo(range(1, 25));
  }

  /** A new process has not loaded the library of the database yet. */
  @Test
  void folderOfAnotherProcess_isOpened() throws Exception {
    runAndPut(1, 20);

    try (var other = ForkedJvm.run(TableCounter.class, folder)) {
      assertThat(other.firstLine()).isEqualTo("1");
    }
  }

  /** Opens a folder and prints the number of its tables. */
  static final class TableCounter {
    private TableCounter() {}

    public static void main(String[] args) {
      try (var engine = LocalDynamoDb.start(Storage.folder(Path.of(args[0])), ListenOn.anyPort());
          var client = engine.newClient()) {
        System.out.println(client.listTables().tableNames().size());
      }
    }
  }

  private interface Work {
    void of(StreamedTestTable table, EventSource source);
  }

  private static void put(StreamedTestTable table, int from, int to) {
    IntStream.rangeClosed(from, to).forEach(i -> table.put("p" + i % 3, Integer.toString(i)));
  }

  /** Runs the engine and an event source until all is delivered, before and after some writes. */
  private void runAndPut(int from, int to) {
    run(
        (table, source) -> {
          source.drain(TIMEOUT);
          put(table, from, to);
          source.drain(TIMEOUT);
        });
  }

  private void run(Work work) {
    try (var engine = LocalDynamoDb.start(Storage.folder(folder), ListenOn.anyPort());
        var client = engine.newClient();
        var streams = engine.newStreamsClient()) {
      var table = new StreamedTestTable(client);
      String arn =
          client.listTables().tableNames().isEmpty()
              ? table.create()
              : streams.listStreams(list -> {}).streams().getFirst().streamArn();
      var checkpoints = Checkpoints.inFile(folder.resolve("checkpoints.json"));
      var subscriptions = List.of(new Subscription(MAPPING, function));
      try (var source = EventSource.start(streams, arn, checkpoints, subscriptions)) {
        work.of(table, source);
      }
    }
  }

  private void change(String sql) {
    var database = new SQLiteConnection(folder.resolve("shared-local-instance.db").toFile());
    try {
      database.open(false);
      database.setBusyTimeout((int) TIMEOUT.toMillis());
      database.exec(sql);
      assertThat(database.getChanges()).isEqualTo(20);
    } catch (SQLiteException e) {
      throw new AssertionError(sql, e);
    } finally {
      database.dispose();
    }
  }
}
