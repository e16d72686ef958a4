package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The three partition keys of the records have lanes of their own. */
@Timeout(20)
class ShardLanesTest {
  private static final int LANES = 7;

  @Test
  void lane_whoseCallTakesLong_holdsUpNoOther() {
    var slow = new CountDownLatch(1);
    var others = new Semaphore(0);
    var byKey = new ConcurrentHashMap<String, List<Integer>>();
    var lanes =
        lanes(
            4,
            call -> {
              var key = TestRecords.partitionKey(call.getFirst().record());
              if (key.equals("p0")) {
                await(slow);
              }
              byKey
                  .computeIfAbsent(key, _ -> new CopyOnWriteArrayList<>())
                  .addAll(TestRecords.numbers(call));
              if (!key.equals("p0")) {
                others.release(call.size());
              }
            });

    lanes.add(TestRecords.batch(1, 12));
    others.acquireUninterruptibly(8);
    lanes.add(TestRecords.batch(13, 24));
    others.acquireUninterruptibly(8);

    assertThat(byKey).doesNotContainKey("p0");
    assertThat(lanes.isIdle()).isFalse();
    slow.countDown();
    lanes.awaitIdle();
    assertThat(lanes.isIdle()).isTrue();
    assertThat(byKey).hasSize(3);
    byKey.values().forEach(numbers -> assertThat(numbers).hasSize(8).isSorted());
  }

  @Test
  void call_hasAtMostTheBatchSizeOfOneLane() {
    var sizes = new ConcurrentHashMap<Integer, AtomicInteger>();
    var lanes =
        lanes(3, call -> sizes.computeIfAbsent(call.size(), _ -> new AtomicInteger()).addAndGet(1));

    lanes.add(TestRecords.batch(1, 21));
    lanes.awaitIdle();

    assertThat(sizes).containsOnlyKeys(1, 3);
    assertThat(sizes.get(3)).hasValue(6);
  }

  @Test
  void awaitRoom_waitsWhileTooManyAreUnfinished_andACallRuns() {
    var begun = new CountDownLatch(1);
    var calls = new Semaphore(0);
    var unfinished = new AtomicInteger(LANES - 1);
    var lanes =
        lanes(
            1,
            _ -> {
              begun.countDown();
              calls.acquireUninterruptibly();
              unfinished.set(0);
            },
            () -> {},
            unfinished::get);
    lanes.add(TestRecords.batch(1, 1));
    await(begun);
    lanes.awaitRoom();
    unfinished.set(LANES);

    var hasRoom = new CountDownLatch(1);
    var waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  lanes.awaitRoom();
                  hasRoom.countDown();
                });
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(hasRoom.getCount()).isOne();
    calls.release();
    await(hasRoom);
  }

  @Test
  void failureOfALane_endsTheOthersAndIsThrown_untilTheReset() {
    var waits = new CountDownLatch(1);
    var ended = new CopyOnWriteArrayList<Integer>();
    var lanes =
        lanes(
            1,
            call -> {
              int number = TestRecords.numbers(call).getFirst();
              if (number == 1) {
                throw new IllegalStateException("no checkpoint");
              }
              await(waits);
              ended.add(number);
            });

    lanes.add(TestRecords.batch(1, 12));
    assertThatThrownBy(lanes::awaitIdle).hasMessage("no checkpoint");
    assertThat(lanes.isEnding()).isTrue();
    assertThatThrownBy(lanes::requireNoFailure).hasMessage("no checkpoint");
    assertThatThrownBy(() -> lanes.add(TestRecords.batch(13, 13))).hasMessage("no checkpoint");
    assertThat(lanes.isIdle()).isFalse();
    waits.countDown();
    lanes.reset();

    assertThat(ended).isSubsetOf(2, 3).doesNotHaveDuplicates();
    assertThat(lanes.isIdle()).isTrue();
    assertThat(lanes.isEnding()).isFalse();
    lanes.add(TestRecords.batch(20, 20));
    lanes.awaitIdle();
    assertThat(ended).contains(20);
  }

  @Test
  void reset_withoutAFailure_leavesOutWhatWaits() {
    var begun = new CountDownLatch(1);
    var waits = new CountDownLatch(1);
    var ended = new CopyOnWriteArrayList<Integer>();
    var woken = new AtomicInteger();
    var lanes =
        lanes(
            1,
            call -> {
              begun.countDown();
              await(waits);
              ended.addAll(TestRecords.numbers(call));
            },
            () -> {
              woken.incrementAndGet();
              waits.countDown();
            },
            () -> 0);
    lanes.add(List.of(TestRecords.batch(3, 3).getFirst(), TestRecords.batch(6, 6).getFirst()));
    await(begun);

    lanes.reset();

    assertThat(ended).containsExactly(3);
    assertThat(woken.get()).isPositive();
    assertThat(lanes.isIdle()).isTrue();
  }

  /** Records that a reset leaves out take no room from those that come after it. */
  @Test
  void reset_makesRoomForTheBytesOfWhatItLeavesOut() {
    var begun = new Semaphore(0);
    var waits = new CountDownLatch(1);
    var waitsAgain = new CountDownLatch(1);
    var lanes =
        lanes(
            1,
            call -> {
              begun.release();
              await(TestRecords.numbers(call).getFirst() == 3 ? waits : waitsAgain);
            },
            waits::countDown,
            () -> 0);
    var large = TestRecords.batch(6, 6).getFirst();
    large.record().getDynamodb().setSizeBytes(BatchBuffer.MAX_BYTES * LANES);
    lanes.add(List.of(TestRecords.batch(3, 3).getFirst(), large));
    begun.acquireUninterruptibly();

    lanes.reset();

    lanes.add(TestRecords.batch(9, 9));
    begun.acquireUninterruptibly();
    lanes.awaitRoom();
    assertThat(lanes.isIdle()).isFalse();
    waitsAgain.countDown();
    lanes.awaitIdle();
  }

  private static ShardLanes lanes(int batch, Consumer<List<BatchRecord>> delivery) {
    return lanes(batch, delivery, () -> {}, () -> 0);
  }

  private static ShardLanes lanes(
      int batch, Consumer<List<BatchRecord>> delivery, Runnable wake, IntSupplier unfinished) {
    var mapping =
        EventSourceMapping.named("m").parallelizationFactor(LANES).batchSize(batch).build();
    assertThat(TestRecords.batch(1, 3).stream().map(record -> record.lane("pk", LANES)).distinct())
        .hasSize(3);
    return new ShardLanes(mapping, "pk", delivery, wake, unfinished);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
