package social.feed.api.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import social.feed.testkit.Polling;

class QuotaTurnsTest {
  /** Twice as many accounts as there were locks, when accounts shared them. */
  private static final int ACCOUNTS = 2_048;

  private final QuotaTurns turns = new QuotaTurns();

  @Test
  void slowRequest_delaysNoOtherAccount()
      throws ExecutionException, InterruptedException, TimeoutException {
    var isOver = new CountDownLatch(1);
    var hasBegun = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        var slow =
            threads.submit(
                () ->
                    turns.take(
                        "slow",
                        () -> {
                          hasBegun.countDown();
                          return await(isOver);
                        }));
        assertThat(await(hasBegun)).isTrue();
        var others =
            threads.submit(
                () -> {
                  int done = 0;
                  for (int i = 0; i < ACCOUNTS; i++) {
                    done += turns.take("account" + i, () -> 1);
                  }
                  return done;
                });
        assertThat(others.get(9, TimeUnit.SECONDS)).isEqualTo(ACCOUNTS);
        assertThat(slow.isDone()).isFalse();
      } finally {
        isOver.countDown();
      }
    }
  }

  @Test
  void changesOfOneAccount_takeTurns() {
    var atOnce = new AtomicInteger();
    var most = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        threads.submit(
            () ->
                turns.run(
                    "ann",
                    () -> {
                      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                      Thread.yield();
                      atOnce.decrementAndGet();
                    }));
      }
    }
    assertThat(most).hasValue(1);
    assertThat(atOnce).hasValue(0);
  }

  @Test
  void locks_ofAccountsWithoutRequests_areCollected() {
    for (int i = 0; i < ACCOUNTS; i++) {
      turns.run("account" + i, () -> {});
    }
    Polling.until(
        () -> {
          System.gc();
          return turns.held() < ACCOUNTS / 2;
        });
    assertThat(turns.held()).isLessThan(ACCOUNTS / 2);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
