package social.feed.table.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelCallsTest {
  private static final List<Integer> INPUTS = IntStream.range(0, 1_000).boxed().toList();

  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void mapUntilFailure_withoutOne_returnsAllInOrder() {
    assertThat(ParallelCalls.mapUntilFailure(INPUTS, 4, input -> 2 * input))
        .isEqualTo(INPUTS.stream().map(input -> 2 * input).toList());
  }

  /** Calls that had begun may end. */
  @Test
  void mapUntilFailure_beginsNoCallAfterAFailure() {
    assertThatThrownBy(() -> ParallelCalls.mapUntilFailure(INPUTS, 4, failing()))
        .hasMessage("it failed");
    assertThat(calls.get()).isBetween(11, 14);
  }

  @Test
  void map_makesAllCallsDespiteAFailure() {
    assertThatThrownBy(() -> ParallelCalls.map(INPUTS, 4, failing())).hasMessage("it failed");
    assertThat(calls.get()).isEqualTo(INPUTS.size());
  }

  private Function<Integer, Integer> failing() {
    return input -> {
      if (calls.incrementAndGet() > 10) {
        throw new IllegalStateException("it failed");
      }
      return input;
    };
  }
}
