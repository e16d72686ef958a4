package social.feed.api.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
          },
          Duration.ZERO);

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
