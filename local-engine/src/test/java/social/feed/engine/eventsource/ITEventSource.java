package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static social.feed.engine.eventsource.EventSourceFixture.TIMEOUT;
import static social.feed.engine.eventsource.EventSourceFixture.range;
import static social.feed.engine.eventsource.TestRecords.number;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ITEventSource {

  private final EventSourceFixture fixture = new EventSourceFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void records_beforeAndAfterTheStart_areDeliveredInOrderAndInBatches() {
    Recorder function = new Recorder();
    fixture.put(1, 25);
    try (EventSource source = fixture.start(on("m", function, m -> m.batchSize(10)))) {
      source.drain(TIMEOUT);
      assertThat(function.calls()).containsExactly(range(1, 10), range(11, 20), range(21, 25));

      fixture.put(26, 30);
      source.drain(TIMEOUT);

      assertThat(function.numbers()).isEqualTo(range(1, 30));
      MappingStatus status = source.status().getFirst();
      assertThat(status.recordsHandled()).isEqualTo(30);
      assertThat(status.failedInvocations()).isZero();
      assertThat(status.idle()).isTrue();
      assertThat(status.lastError()).isEmpty();
    }
  }

  @Test
  void event_withoutWindow_hasNoShard() {
    List<Object> shards = new CopyOnWriteArrayList<>();
    fixture.put(1, 1);
    StreamFunction function =
        event -> {
          shards.add(
              List.of(
                  String.valueOf(event.getShardId()),
                  String.valueOf(event.getWindow()),
                  String.valueOf(event.getState()),
                  event.getRecords().getFirst().getEventSourceARN()));
          return null;
        };
    try (EventSource source = fixture.start(on("m", function, m -> m))) {
      source.drain(TIMEOUT);
    }
    assertThat(shards).containsExactly(List.of("null", "null", "null", fixture.arn));
  }

  @Test
  void shardsRolled_childrenAreDeliveredAfterParents() {
    Recorder function = new Recorder();
    fixture.put(1, 5);
    fixture.engine.rollShards();
    fixture.put(6, 10);
    fixture.engine.rollShards();
    fixture.put(11, 15);
    try (EventSource source = fixture.start(on("m", function, m -> m.batchSize(2)))) {
      source.drain(TIMEOUT);
      assertThat(function.numbers()).isEqualTo(range(1, 15));

      fixture.engine.rollShards();
      fixture.put(16, 20);
      source.drain(TIMEOUT);
      assertThat(function.numbers()).isEqualTo(range(1, 20));
    }
  }

  @Test
  void partialResponse_isRetriedFromTheLowestReported() {
    CountDownLatch first = new CountDownLatch(1);
    Recorder function =
        new Recorder(
            event -> {
              boolean isFirst = first.getCount() == 1;
              first.countDown();
              return isFirst ? TestRecords.failures(at(event.getRecords(), 4)) : null;
            });
    fixture.put(1, 6);
    try (EventSource source =
        fixture.start(on("m", function, EventSourceMappingBuilder::reportBatchItemFailures))) {
      source.drain(TIMEOUT);

      assertThat(function.calls()).containsExactly(range(1, 6), range(4, 6));
      assertThat(source.status().getFirst().failedInvocations()).isEqualTo(1);
      assertThat(source.status().getFirst().recordsHandled()).isEqualTo(6);
    }
  }

  @Test
  void failingRecord_bisecting_aloneIsSentToTheDestination() {
    List<FailedBatch> failed = new CopyOnWriteArrayList<>();
    Recorder function = new Recorder(failingOn(7));
    fixture.put(1, 16);
    try (EventSource source =
        fixture.start(
            on(
                "m",
                function,
                m ->
                    m.bisectBatchOnFunctionError()
                        .maximumRetryAttempts(2)
                        .onFailure(failed::add)))) {
      source.drain(TIMEOUT);

      assertThat(failed).hasSize(1);
      FailedBatch batch = failed.getFirst();
      assertThat(batch.records().stream().map(TestRecords::number)).containsExactly(7);
      assertThat(batch.records().getFirst().getDynamodb().getNewImage()).containsKeys("pk", "sk");
      assertThat(batch.streamArn()).isEqualTo(fixture.arn);
      assertThat(batch.lastError()).contains("poison 7");
      assertThat(function.calls().stream().filter(List.of(7)::equals)).hasSize(3);
      assertThat(source.status().getFirst().recordsHandled()).isEqualTo(15);
      assertThat(source.status().getFirst().recordsGivenUp()).isEqualTo(1);
    }
  }

  @Test
  void destinationFails_isRetriedAndNothingIsLost() {
    Semaphore failures = new Semaphore(2);
    List<FailedBatch> failed = new CopyOnWriteArrayList<>();
    FailureDestination destination =
        batch -> {
          if (failures.tryAcquire()) {
            throw new IOException("queue is down");
          }
          failed.add(batch);
        };
    fixture.put(1, 3);
    try (EventSource source =
        fixture.start(
            on("m", failingOn(1), m -> m.maximumRetryAttempts(0).onFailure(destination)))) {
      source.drain(TIMEOUT);
    }
    assertThat(failed).hasSize(1);
    assertThat(failed.getFirst().records()).hasSize(3);
  }

  @Test
  void filter_droppedRecords_areCheckpointedAndNotDelivered() {
    Recorder function = new Recorder();
    Checkpoints checkpoints = Checkpoints.inMemory();
    fixture.put(1, 10);
    try (EventSource source =
        fixture.start(checkpoints, on("m", function, m -> m.filter(r -> number(r) % 2 == 0)))) {
      source.drain(TIMEOUT);
    }
    assertThat(function.numbers()).containsExactly(2, 4, 6, 8, 10);
    fixture.put(11, 11);
    try (EventSource source =
        fixture.start(checkpoints, on("m", function, m -> m.filter(r -> number(r) > 8)))) {
      source.drain(TIMEOUT);
    }
    assertThat(function.numbers()).containsExactly(2, 4, 6, 8, 10, 11);
  }

  @Test
  void parallelLanes_keepTheOrderOfEachPartitionKeyAndRunConcurrently() {
    Map<String, List<Integer>> byKey = new ConcurrentHashMap<>();
    CountDownLatch twoLanes = new CountDownLatch(2);
    StreamFunction function =
        event -> {
          twoLanes.countDown();
          twoLanes.await();
          for (DynamodbStreamRecord record : event.getRecords()) {
            byKey
                .computeIfAbsent(
                    TestRecords.partitionKey(record), key -> new CopyOnWriteArrayList<>())
                .add(number(record));
          }
          return null;
        };
    fixture.put(1, 300);
    try (EventSource source =
        fixture.start(on("m", function, m -> m.parallelizationFactor(10).batchSize(30)))) {
      source.drain(TIMEOUT);
    }
    assertThat(byKey.values().stream().mapToInt(List::size).sum()).isEqualTo(300);
    byKey.values().forEach(numbers -> assertThat(numbers).isSorted());
  }

  /** The records behind the open one are done, dropped by the filter, or wait in its lane. */
  @Test
  void laneThatIsNotDone_keepsTheDrainWaiting_andTheCheckpointBeforeIt() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    StreamFunction broken = failingOn(1);
    Recorder function = new Recorder(event -> isBroken.get() ? broken.handle(event) : null);
    UnaryOperator<EventSourceMappingBuilder> lanes =
        m -> m.parallelizationFactor(7).batchSize(1).filter(r -> number(r) <= 6);
    Checkpoints checkpoints = Checkpoints.inMemory();
    fixture.put(1, 12);

    try (EventSource source = fixture.start(checkpoints, on("m", function, lanes))) {
      while (!function.numbers().containsAll(List.of(2, 3, 5, 6))) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> source.drain(Duration.ofMillis(300)))
          .isInstanceOf(DrainTimeoutException.class);
    }
    assertThat(function.numbers()).contains(1).doesNotContain(4);
    isBroken.set(false);
    try (EventSource source = fixture.start(checkpoints, on("m", function, lanes))) {
      source.drain(TIMEOUT);
    }

    assertThat(function.numbers()).contains(4);
  }

  @Test
  void drain_functionThatWrites_waitsForTheRecordsOfThoseWrites() {
    Recorder other = new Recorder();
    StreamFunction cascade =
        event -> {
          for (DynamodbStreamRecord record : event.getRecords()) {
            if (number(record) % 10 < 7) {
              fixture.put(number(record) + 1, number(record) + 1);
            }
          }
          return null;
        };
    try (EventSource source =
        fixture.start(on("cascade", cascade, m -> m), on("other", other, m -> m))) {
      for (int chain = 0; chain < 20; chain++) {
        fixture.put(10 * chain, 10 * chain);
        source.drain(TIMEOUT);
        assertThat(other.numbers()).hasSize(8 * (chain + 1)).endsWith(10 * chain + 7);
      }
    }
  }

  @Test
  void drain_failingRecordBlocksTheShard_throwsWithShardAndError() throws InterruptedException {
    // The second attempt begins when the failure of the first one is recorded.
    CountDownLatch attempts = new CountDownLatch(2);
    StreamFunction failing = failingOn(2);
    StreamFunction counted =
        event -> {
          if (event.getRecords().stream().anyMatch(record -> number(record) == 2)) {
            attempts.countDown();
          }
          return failing.handle(event);
        };
    fixture.put(1, 3);
    try (EventSource source = fixture.start(on("stuck", counted, m -> m.batchSize(1)))) {
      assertThat(attempts.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> source.drain(Duration.ofMillis(300)))
          .isInstanceOf(DrainTimeoutException.class)
          .hasMessageContaining("mapping stuck, busy, 1 handled")
          .hasMessageContaining("shardId-")
          .hasMessageContaining("last handled 0")
          .hasMessageContaining("poison 2");
    }
  }

  @Test
  void pause_delaysDeliveriesUntilResume() {
    Recorder function = new Recorder();
    try (EventSource source = fixture.start(on("m", function, m -> m))) {
      source.pause();
      fixture.put(1, 3);
      assertThatThrownBy(() -> source.drain(TIMEOUT)).isInstanceOf(IllegalStateException.class);
      assertThat(function.calls()).isEmpty();

      source.resume();
      source.drain(TIMEOUT);
      assertThat(function.numbers()).isEqualTo(range(1, 3));
    }
  }

  @Test
  void pause_whileACallRuns_returnsAfterItsEnd() throws InterruptedException {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    StreamFunction function =
        event -> {
          called.countDown();
          mayEnd.await();
          ended.set(true);
          return null;
        };
    fixture.put(1, 1);
    try (EventSource source = fixture.start(on("m", function, m -> m))) {
      called.await();
      AtomicBoolean endedBeforePause = new AtomicBoolean();
      Thread pausing =
          Thread.ofVirtual()
              .start(
                  () -> {
                    source.pause();
                    endedBeforePause.set(ended.get());
                  });
      while (pausing.getState() == Thread.State.RUNNABLE) {
        Thread.onSpinWait();
      }
      mayEnd.countDown();
      pausing.join();
      assertThat(endedBeforePause).isTrue();
      source.resume();
    }
  }

  @Test
  void batchingWindow_notOver_waitsForAFullBatch() throws InterruptedException {
    CountDownLatch called = new CountDownLatch(1);
    Recorder function =
        new Recorder(
            event -> {
              called.countDown();
              return null;
            });
    try (EventSource source =
        fixture.start(
            on("m", function, m -> m.batchSize(3).batchingWindow(Duration.ofSeconds(300))))) {
      fixture.put(1, 1);
      fixture.put(2, 3);
      assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(function.calls().getFirst()).isEqualTo(range(1, 3));

      fixture.put(4, 4);
      source.drain(TIMEOUT);
      assertThat(function.calls()).containsExactly(range(1, 3), range(4, 4));
    }
  }

  @Test
  void close_whilePaused_returnsWithoutADelivery() {
    Recorder function = new Recorder();
    try (EventSource source = fixture.start(on("m", function, m -> m))) {
      source.pause();
      fixture.put(1, 1);
    }
    assertThat(function.calls()).isEmpty();
  }

  @Test
  void rewind_deliversEverythingAgainToThatMappingOnly() {
    Recorder rewound = new Recorder();
    Recorder other = new Recorder();
    fixture.put(1, 5);
    try (EventSource source =
        fixture.start(on("rewound", rewound, m -> m), on("other", other, m -> m))) {
      source.drain(TIMEOUT);
      source.rewind("rewound");
      source.drain(TIMEOUT);

      assertThat(rewound.calls()).containsExactly(range(1, 5), range(1, 5));
      assertThat(other.calls()).containsExactly(range(1, 5));
      assertThatThrownBy(() -> source.rewind("unknown"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void start_threeMappings_throws() {
    Subscription one = on("1", event -> null, m -> m);
    assertThatThrownBy(
            () ->
                fixture.start(one, on("2", event -> null, m -> m), on("3", event -> null, m -> m)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two readers");
    assertThatThrownBy(() -> fixture.start(one, one)).hasMessageContaining("Two mappings named 1");
  }

  @Test
  void wake_onWriteOfTheEngine_deliversBeforeTheNextPoll() throws InterruptedException {
    CountDownLatch delivered = new CountDownLatch(1);
    EventSourceSettings rare =
        new EventSourceSettings(
            Duration.ofSeconds(50),
            Duration.ofSeconds(50),
            EventSourceFixture.SETTINGS.backoff(),
            EventSourceFixture.SETTINGS.clock(),
            EventSourceFixture.SETTINGS.random());
    StreamFunction function =
        event -> {
          delivered.countDown();
          return null;
        };
    try (EventSource source =
        EventSource.start(
            fixture.streams,
            fixture.arn,
            Checkpoints.inMemory(),
            rare,
            List.of(on("m", function, m -> m)))) {
      source.drain(TIMEOUT);
      fixture.engine.onWrite(source::wake);
      fixture.put(1, 1);
      assertThat(delivered.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static Subscription on(
      String name, StreamFunction function, UnaryOperator<EventSourceMappingBuilder> settings) {
    return new Subscription(settings.apply(EventSourceMapping.named(name)).build(), function);
  }

  private static StreamFunction failingOn(int number) {
    return event -> {
      if (event.getRecords().stream().anyMatch(record -> number(record) == number)) {
        throw new IllegalStateException("poison " + number);
      }
      return null;
    };
  }

  private static String at(List<DynamodbStreamRecord> records, int number) {
    return records.stream()
        .filter(record -> number(record) == number)
        .findFirst()
        .orElseThrow()
        .getDynamodb()
        .getSequenceNumber();
  }
}
