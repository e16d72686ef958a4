package social.feed.streams.effect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.ThrottledException;

class SettleTest {
  private static final int ATTEMPTS = 8;

  private final List<String> calls = new ArrayList<>();

  @Test
  void one_unchangedState_isReadTwiceAndWrittenOnce() {
    assertThat(one(List.of("a", "a"), _ -> true)).isEqualTo("wrote a");
    assertThat(calls).containsExactly("read a", "write a", "read a");
  }

  @Test
  void one_nothingWritten_isNotReadAgain() {
    assertThat(one(List.of("a"), _ -> false)).isEqualTo("wrote a");
    assertThat(calls).containsExactly("read a", "write a");
  }

  @Test
  void one_changedState_isWrittenAgain_andOnlyTheAspectCounts() {
    assertThat(one(List.of("a", "b", "B", "b"), _ -> true)).isEqualTo("wrote B");
    assertThat(calls).containsExactly("read a", "write a", "read b", "read B", "write B", "read b");
  }

  @Test
  void one_stateThatChangesWithEachAttempt_isThrottled() {
    var states = IntStream.range(0, 2 * ATTEMPTS).mapToObj(Integer::toString).toList();

    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(() -> one(states, _ -> true))
        .withMessageContaining("state: 1 items")
        .withMessageContaining(ATTEMPTS + " attempts");
    assertThat(calls).hasSize(3 * ATTEMPTS);
  }

  @Test
  void all_changedStates_areWrittenAgainWithoutTheOthers() {
    all(List.of(0, 1, 2), ATTEMPTS);
    assertThat(calls).containsExactly("[0, 1, 2]", "[1, 2]", "[2]");
  }

  @Test
  void all_noStates_writesNothing() {
    all(List.of(), ATTEMPTS);
    assertThat(calls).isEmpty();
  }

  @Test
  void all_settledByTheLastAttempt_isDone_oneLaterIsThrottled() {
    var states = IntStream.range(0, ATTEMPTS).boxed().toList();
    all(states, ATTEMPTS);
    assertThat(calls).hasSize(ATTEMPTS);

    var more = IntStream.rangeClosed(0, ATTEMPTS + 1).boxed().toList();
    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(() -> all(more, 2 * ATTEMPTS))
        .withMessageContaining("states: 2 items");
    assertThat(calls).hasSize(2 * ATTEMPTS);
  }

  /** A state of which the case does not count. Each read returns the next. */
  private String one(List<String> states, Predicate<String> wrote) {
    var reads = states.iterator();
    return Settle.one(
        "state",
        () -> noted("read ", reads.next()),
        (before, after) -> !before.equalsIgnoreCase(after),
        state -> "wrote " + noted("write ", state),
        wrote);
  }

  private String noted(String call, String state) {
    calls.add(call + state);
    return state;
  }

  /** Each attempt settles the first of the states that are left. */
  private void all(List<Integer> states, int most) {
    Settle.all(
        "states",
        states,
        (Collection<Integer> pending) -> {
          calls.add(pending.toString());
          assertThat(calls).hasSizeLessThanOrEqualTo(most);
          return pending.stream().skip(1).toList();
        });
  }
}
