package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.EventSourceFixture.TIMEOUT;
import static social.feed.engine.eventsource.EventSourceFixture.range;
import static social.feed.engine.eventsource.TestRecords.number;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import social.feed.engine.ForkedJvm;
import social.feed.engine.ListenOn;
import social.feed.engine.LocalDynamoDb;
import social.feed.engine.Storage;
import social.feed.engine.StreamedTestTable;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITEventSourceRestart {

  @TempDir Path folder;

  @Test
  void restart_continuesAfterTheCheckpointInAllShards() {
    Recorder function = new Recorder();
    try (EventSourceFixture fixture = new EventSourceFixture()) {
      fixture.put(1, 5);
      fixture.engine.rollShards();
      fixture.put(6, 10);
      try (EventSource source = fixture.start(checkpoints(), on(function))) {
        source.drain(TIMEOUT);
      }
      fixture.put(11, 15);
      try (EventSource source = fixture.start(checkpoints(), on(function))) {
        source.drain(TIMEOUT);
      }
    }
    assertThat(function.numbers()).isEqualTo(range(1, 15));
  }

  @Test
  void checkpointsOfEarlierShards_areForgotten_andNoRecordComesAgain() {
    Recorder function = new Recorder();
    try (EventSourceFixture fixture = new EventSourceFixture()) {
      for (int first = 1; first <= 16; first += 5) {
        fixture.put(first, first + 4);
        fixture.engine.rollShards();
      }
      fixture.put(21, 25);
      for (int last = 25; last <= 35; last += 5) {
        try (EventSource source = fixture.start(checkpoints(), on(function))) {
          source.drain(TIMEOUT);
        }
        fixture.put(last + 1, last + 5);
      }
      assertThat(checkpoints().of(fixture.arn, "m")).hasSize(1);
    }
    assertThat(function.numbers()).isEqualTo(range(1, 35));
  }

  @Test
  void closedWhileABatchFails_deliversThatBatchAgainAndNoEarlierOne() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(3);
    Recorder function =
        new Recorder(
            event -> {
              if (event.getRecords().stream().anyMatch(record -> number(record) == 7)
                  && stuck.getCount() > 0) {
                stuck.countDown();
                throw new IllegalStateException("not now");
              }
              return null;
            });
    try (EventSourceFixture fixture = new EventSourceFixture()) {
      fixture.put(1, 8);
      try (EventSource source = fixture.start(checkpoints(), on(function))) {
        stuck.await();
        assertThat(source.status()).hasSize(1);
      }
      int before = function.calls().size();
      try (EventSource source = fixture.start(checkpoints(), on(function))) {
        source.drain(TIMEOUT);
      }
      assertThat(function.calls().subList(0, before).getFirst()).isEqualTo(range(1, 5));
      assertThat(function.calls().getLast()).isEqualTo(range(6, 8));
      assertThat(function.numbers().stream().filter(n -> n <= 5)).hasSize(5);
    }
  }

  @Test
  void processKilled_deliversEveryRecordAtLeastOnceAndNoneBeforeTheCheckpoint() throws Exception {
    int printed;
    try (ForkedJvm follower = ForkedJvm.run(FollowerProcess.class, folder)) {
      printed = follower.killedAfter(200);
    }
    Recorder function = new Recorder();
    try (LocalDynamoDb engine = LocalDynamoDb.start(Storage.folder(folder), ListenOn.anyPort());
        var client = engine.newClient();
        var streams = engine.newStreamsClient()) {
      String arn = streams.listStreams(list -> {}).streams().getFirst().streamArn();
      Subscription subscription = new Subscription(FollowerProcess.mapping(), function);
      try (EventSource source =
          EventSource.start(streams, arn, checkpoints(), List.of(subscription))) {
        source.drain(TIMEOUT);
      }
      int written = (int) new StreamedTestTable(client).size();
      int first = function.numbers().isEmpty() ? written + 1 : function.numbers().getFirst();
      // Only the batch that ran when the process was killed may be delivered twice.
      assertThat(first).isBetween(printed - 10, printed + 1);
      assertThat(function.numbers()).isEqualTo(range(first, written));
    }
  }

  @Test
  void checkpointCannotBeSaved_deliversTheBatchAgain() {
    AtomicInteger failures = new AtomicInteger(2);
    Recorder function = new Recorder();
    try (EventSourceFixture fixture = new EventSourceFixture()) {
      fixture.put(1, 3);
      try (EventSource source = fixture.start(new FailingCheckpoints(failures), on(function))) {
        source.drain(TIMEOUT);
        assertThat(source.status().getFirst().lastError().orElse("")).contains("disk full");
      }
    }
    assertThat(function.calls()).containsExactly(range(1, 3), range(1, 3), range(1, 3));
  }

  /** Checkpoints whose save fails a number of times. */
  private record FailingCheckpoints(AtomicInteger failures, Checkpoints kept)
      implements Checkpoints {

    FailingCheckpoints(AtomicInteger failures) {
      this(failures, Checkpoints.inMemory());
    }

    @Override
    public Map<String, Checkpoint> of(String streamArn, String mapping) {
      return kept.of(streamArn, mapping);
    }

    @Override
    public void save(String streamArn, String mapping, String shardId, Checkpoint checkpoint) {
      if (failures.getAndDecrement() > 0) {
        throw new UncheckedIOException(new IOException("disk full"));
      }
      kept.save(streamArn, mapping, shardId, checkpoint);
    }

    @Override
    public void forget(String streamArn, String mapping) {
      kept.forget(streamArn, mapping);
    }

    @Override
    public void keepOnly(String streamArn, String mapping, Set<String> shardIds) {
      kept.keepOnly(streamArn, mapping, shardIds);
    }
  }

  private Checkpoints checkpoints() {
    return Checkpoints.inFile(folder.resolve("checkpoints.json"));
  }

  private static Subscription on(StreamFunction function) {
    return new Subscription(EventSourceMapping.named("m").batchSize(5).build(), function);
  }
}
