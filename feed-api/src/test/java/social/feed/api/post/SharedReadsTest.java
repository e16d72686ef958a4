package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.testkit.fault.VirtualTime;

class SharedReadsTest {
  private static final int READERS = 50;

  /** A value that a write changes while it is read. */
  private final AtomicInteger value = new AtomicInteger(1);

  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch hasRead = new CountDownLatch(1);
  private final CompletableFuture<Boolean> gate = new CompletableFuture<>();
  private final SharedReads<String, Integer> shared =
      new SharedReads<>(
          _ -> {
            int read = value.get();
            if (reads.incrementAndGet() == 1) {
              hasRead.countDown();
              gate.join();
            }
            if (read < 0) {
              throw new IllegalStateException("planted");
            }
            return read;
          });

  @Test
  void calls_duringARead_shareTheNextOne() throws InterruptedException, ExecutionException {
    var first = begin();
    hasRead.await();
    value.set(2);
    var others = new ArrayList<FutureTask<Integer>>();
    for (int i = 0; i < READERS; i++) {
      others.add(begin());
    }
    gate.complete(true);

    assertThat(first.get()).isEqualTo(1);
    for (var other : others) {
      assertThat(other.get()).isEqualTo(2);
    }
    assertThat(reads).hasValue(2);
  }

  @Test
  void calls_oneAfterTheOther_readEachTime() {
    gate.complete(true);
    assertThat(shared.get("key")).isEqualTo(1);
    value.set(2);
    assertThat(shared.get("key")).isEqualTo(2);
    assertThat(reads).hasValue(2);
  }

  @Test
  void failure_isThatOfItsRead_andOfNoLaterCall() throws InterruptedException, ExecutionException {
    var first = begin();
    hasRead.await();
    List<FutureTask<Integer>> others = List.of(begin(), begin());
    gate.completeExceptionally(new IllegalStateException("planted"));

    assertThatThrownBy(first::get).hasRootCauseMessage("planted");
    for (var other : others) {
      assertThat(other.get()).isEqualTo(1);
    }
    assertThat(shared.get("key")).isEqualTo(1);
  }

  @Test
  void failureOfASharedRead_isThatOfAllWhoShareIt()
      throws InterruptedException, ExecutionException {
    var first = begin();
    hasRead.await();
    value.set(-1);
    List<FutureTask<Integer>> others = List.of(begin(), begin());
    gate.complete(true);

    assertThat(first.get()).isEqualTo(1);
    for (var other : others) {
      assertThatThrownBy(other::get).hasRootCauseMessage("planted");
    }
    assertThat(reads).hasValue(2);
  }

  @Test
  void callsUnderLoad_readOnceInTheDistance_andWaitForOneReadAtMost() {
    int perMilli = 5;
    var load = new Load(Duration.ofMillis(4));
    for (int i = 0; i < 1_000 * perMilli; i++) {
      load.call(Duration.ofNanos(1_000_000L * i / perMilli));
    }

    load.run();

    assertThat(load.waits).hasSize(1_000 * perMilli);
    assertThat(load.begun).hasSize(101);
    for (int i = 1; i < load.begun.size(); i++) {
      assertThat(load.begun.get(i).minus(load.begun.get(i - 1))).isEqualTo(SharedReads.APART);
    }
    assertThat(load.waits).allMatch(wait -> wait.compareTo(Duration.ofMillis(14)) <= 0);
  }

  /** The distance delays no call that meets no read of its key. */
  @Test
  void callsThatMeetNoRead_readAtOnce() {
    var load = new Load(Duration.ofMillis(4));
    for (int i = 0; i < 100; i++) {
      load.call(Duration.ofMillis(5L * i));
    }

    load.run();

    assertThat(load.begun).hasSize(100);
    assertThat(load.waits).hasSize(100).containsOnly(Duration.ofMillis(4));
  }

  /** Arrivals at random, as of many callers: some just miss the end of a read, and read alone. */
  @ParameterizedTest
  @CsvSource({"0.1, 1", "0.3, 1", "0.5, 1", "1, 1", "0.3, 2", "0.5, 2", "0.3, 4", "3, 4"})
  void callsAtRandom_readLessThanTwoHundredTimesASecond(double perMilli, int readMillis) {
    var random = new Random(1);
    var load = new Load(Duration.ofMillis(readMillis));
    for (double at = 0; at < 4_000; at += -Math.log(1 - random.nextDouble()) / perMilli) {
      load.call(Duration.ofNanos((long) (1e6 * at)));
    }

    load.run();

    System.out.printf(
        "%.1f calls and a read of %d ms: %d reads a second%n",
        perMilli, readMillis, load.begun.size() / 4);
    assertThat(load.begun.size() / 4).isLessThan(200);
  }

  /** Calls of one key on a virtual clock. */
  private static final class Load {
    private final VirtualTime time = new VirtualTime(Instant.EPOCH);
    private final List<Duration> begun = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private final SharedReads<String, Integer> shared;

    Load(Duration read) {
      this.shared =
          new SharedReads<>(
              _ -> {
                begun.add(time.passed());
                time.sleep(read);
                return 1;
              },
              new VirtualWaiting(time));
    }

    void call(Duration at) {
      time.start(
          at,
          () -> {
            var called = time.passed();
            shared.get("key");
            waits.add(time.passed().minus(called));
          });
    }

    void run() {
      time.run(Duration.ofSeconds(10));
      time.close();
    }
  }

  /** Starts a call, and returns once it waits for a read. */
  private FutureTask<Integer> begin() {
    var task = new FutureTask<>(() -> shared.get("key"));
    var thread = Thread.ofPlatform().start(task);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return task;
  }
}
