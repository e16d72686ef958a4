package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import social.feed.simulation.SuspicionHistory.Bug;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Suspicious follows of random histories, whose records come repeatedly and in any order. {@code
 * -Dsimulation.suspicion=1000} runs many.
 */
class ITSuspicionHistories {
  private static final int HISTORIES = Integer.getInteger("simulation.suspicion", 15);

  /** The number of histories within which each planted bug is found. */
  private static final int ENOUGH = 10;

  @Test
  void suspects_ofAnyHistory_areThoseOfItsChanges() {
    try (var table = StreamedTable.start()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        assertThat(new SuspicionHistory(table, seed, Bug.NONE).run()).as("seed %d", seed).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedBug_isFoundSoon(Bug bug) {
    try (var table = StreamedTable.start()) {
      var found =
          LongStream.rangeClosed(1, ENOUGH)
              .filter(seed -> !new SuspicionHistory(table, seed, bug).run().isEmpty())
              .findFirst();
      assertThat(found).isPresent();
    }
  }
}
