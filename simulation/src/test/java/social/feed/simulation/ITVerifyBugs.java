package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.HistoryResult;
import social.feed.testkit.simulation.Simulation;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Histories find what only verify sees: the comparison with the model finds nothing in them. The
 * same histories without the bug end as the model says.
 */
@LongRunning
class ITVerifyBugs {
  /** The number of histories with its focus within which each bug is found. */
  private static final int ENOUGH = 20;

  private static final FaultMix MIX = FaultMix.all(15);

  @ParameterizedTest
  @EnumSource(VerifyBug.class)
  void verify_inHistoriesWithItsBug_reportsDrift(VerifyBug bug) {
    HistoryResult found;
    try (var table = StreamedTable.start()) {
      var simulation = new Simulation(table, bug.subject(), MIX);
      found =
          bug.seeds()
              .limit(ENOUGH)
              .mapToObj(simulation::run)
              .filter(result -> !result.matchesModel())
              .findFirst()
              .orElseThrow();
    }

    System.out.printf("%s found in history %d: %s%n", bug, found.seed(), found.violations());
    assertThat(found.violations())
        .allSatisfy(violation -> assertThat(violation).startsWith(HistoryResult.VERIFY));
    try (var table = StreamedTable.start()) {
      var sound = new Simulation(table, new VerifiedMultiplexer(), MIX);
      assertThat(sound.run(found.seed()).violations()).isEmpty();
    }
  }
}
