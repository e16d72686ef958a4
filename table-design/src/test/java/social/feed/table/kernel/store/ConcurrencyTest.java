package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {
  private static final List<Integer> INPUTS = IntStream.range(0, 1_000).boxed().toList();

  private final Queue<Integer> called = new ConcurrentLinkedQueue<>();

  @Test
  void forEach_callsEachInputOnce() {
    Concurrency.ofThreads(4).forEach(INPUTS, called::add);
    assertThat(called).containsExactlyInAnyOrderElementsOf(INPUTS);
  }

  @Test
  void forEach_ofNoInputs_callsNothing() {
    Concurrency.ofThreads(4).forEach(List.of(), called::add);
    assertThat(called).isEmpty();
  }

  @Test
  void forEach_ofOneAtOnce_keepsTheOrder() {
    Concurrency.ofThreads(1).forEach(INPUTS, called::add);
    assertThat(called).containsExactlyElementsOf(INPUTS);
  }

  /** Each call waits for the others. */
  @Test
  void forEach_runsAsManyCallsAtOnceAsItMay() {
    var all = new CountDownLatch(4);
    Concurrency.ofThreads(4)
        .forEach(
            INPUTS.subList(0, 4),
            input -> {
              all.countDown();
              await(all);
              called.add(input);
            });
    assertThat(called).hasSize(4);
  }

  /** Calls that had begun may end. */
  @Test
  void forEach_beginsNoCallAfterAFailure() {
    assertThatThrownBy(() -> Concurrency.ofThreads(4).forEach(INPUTS, this::failAfterTen))
        .hasMessage("it failed");
    assertThat(called.size()).isBetween(11, 14);
  }

  private void failAfterTen(int input) {
    called.add(input);
    if (called.size() > 10) {
      throw new IllegalStateException("it failed");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
