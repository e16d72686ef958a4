package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.CloudSimulation;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Histories with the limits of a cloud find bugs that only the limits show: the history that finds
 * one ends as the model says where the limits are off.
 */
class ITLimitBugs {
  /** The number of histories within which each bug is found. */
  private static final int ENOUGH = 20;

  private static final long FIRST = Long.getLong("cloud.first", 1);

  @ParameterizedTest
  @EnumSource
  void histories_withALimitedCloud_findTheBug(LimitBug bug) {
    try (var limited = StreamedTable.start();
        var unlimited = StreamedTable.start()) {
      var simulation = new CloudSimulation(limited, bug.subject(), FaultMix.none());
      long seed = FIRST;
      var result = simulation.run(seed);
      while (result.matchesModel() && seed < FIRST + ENOUGH) {
        result = simulation.run(++seed);
      }

      System.out.printf(
          "%s found by seed %d: %s%n", bug, seed, result.violations().stream().limit(2).toList());
      assertThat(result.violations()).isNotEmpty();
      var without = new CloudSimulation(unlimited, bug.subject(), FaultMix.none()).withoutLimits();
      assertThat(without.run(seed).violations()).isEmpty();
    }
  }
}
