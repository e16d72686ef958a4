package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.Outcome;
import social.feed.testkit.simulation.Simulation;
import social.feed.testkit.simulation.StreamedTable;

/** The simulation finds what is wrong, and soon. */
class ITPlantedBugs {
  private static final int ENOUGH = 400;
  private static final int PER_THOUSAND = 15;

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void simulation_ofAPlantedBug_findsIt(PlantedBug bug) {
    long seed = firstFound(bug);

    System.out.println(bug + " found by seed " + seed);
    assertThat(seed).as("found within " + ENOUGH + " seeds").isBetween(1L, (long) ENOUGH);
  }

  private static long firstFound(PlantedBug bug) {
    try (var table = StreamedTable.start()) {
      var simulation = new Simulation(table, bug.subject(), FaultMix.all(PER_THOUSAND));
      for (long seed = 1; seed <= ENOUGH; seed++) {
        Outcome outcome = simulation.run(seed);
        if (!outcome.isExact()) {
          System.out.println(outcome.violations());
          return seed;
        }
      }
      return 0;
    }
  }
}
