package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.store.InParallel;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.Simulation;
import social.feed.testkit.simulation.StreamedTable;

/**
 * The simulation finds what is wrong, and soon, wherever it begins: a bug that one lucky seed finds
 * is lost with the next change of a handler.
 */
class ITPlantedBugs {
  /** Seeds within which each bug is found, from wherever: ten of each kind of trouble. */
  private static final int ENOUGH = 80;

  /** Within how many it mostly is: five of each. */
  private static final int MOSTLY = 40;

  private static final int BEGINNINGS = 5;
  private static final int APART = 1_000;
  private static final int AT_ONCE = 2;
  private static final int PER_THOUSAND = 15;

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void simulation_ofAPlantedBug_findsItFromAnyBeginning(PlantedBug bug) {
    var beginnings = LongStream.range(0, BEGINNINGS).map(i -> 1 + i * APART).boxed().toList();

    var needed = InParallel.map(beginnings, AT_ONCE, first -> needed(bug, first));

    System.out.println(bug + " found after so many seeds: " + needed);
    assertThat(needed).allSatisfy(seeds -> assertThat(seeds).isLessThanOrEqualTo(ENOUGH));
    assertThat(median(needed)).isLessThanOrEqualTo(MOSTLY);
  }

  /** How many seeds it took; one more than enough where all were in vain. */
  private static int needed(PlantedBug bug, long first) {
    try (var table = StreamedTable.start()) {
      var simulation = new Simulation(table, bug.subject(), FaultMix.all(PER_THOUSAND));
      int seeds = 1;
      while (seeds <= ENOUGH && simulation.run(first + seeds - 1).isExact()) {
        seeds++;
      }
      return seeds;
    }
  }

  private static int median(List<Integer> odd) {
    return odd.stream().sorted().skip(odd.size() / 2).findFirst().orElseThrow();
  }
}
