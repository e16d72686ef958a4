package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Random histories of a kind: nothing is wrong in the end, and what a planted bug does is found.
 * {@code -Dsimulation.histories=1000} runs more, and {@code -Dsimulation.bugs.ofSinks.every=1}
 * plants each bug.
 *
 * @param <B> the bugs
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class HistoryContract<B extends Enum<B>> {
  private static final int HISTORIES = Integer.getInteger("simulation.histories", 2);

  /**
   * The number of histories within which each planted bug is found. Most are found by the first
   * two. Threads make histories of one seed differ: the rarest was seen at 12.
   */
  private static final int ENOUGH = 40;

  private final B none;

  /**
   * @param none the absence of a bug
   */
  HistoryContract(B none) {
    this.none = none;
  }

  abstract LaneHistory history(StreamedTable table, long seed, B bug);

  @Test
  void history_ofAnySeed_endsRight() {
    try (var table = StreamedTable.start()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        assertThat(history(table, seed, none).run()).as("seed %d", seed).isEmpty();
      }
    }
  }

  Stream<B> bugs() {
    return BugsOfRun.ofSinks(List.copyOf(EnumSet.complementOf(EnumSet.of(none))));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void plantedBug_isFoundSoon(B bug) {
    try (var table = StreamedTable.start()) {
      var found =
          LongStream.rangeClosed(1, ENOUGH)
              .filter(seed -> !history(table, seed, bug).run().isEmpty())
              .findFirst();
      assertThat(found).isPresent();
    }
  }
}
