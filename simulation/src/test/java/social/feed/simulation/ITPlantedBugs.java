package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.Simulation;
import social.feed.testkit.simulation.StreamedTable;

/**
 * The simulation finds each bug soon, wherever it begins: a bug that one lucky seed finds is lost
 * with the next change of a handler. {@code -Dsimulation.bugs=NO_FLIP} runs some of them, {@code
 * -Dsimulation.bugs.every=1} all, and {@code -Dsimulation.enough=100} up to that many histories for
 * each. {@code -Dsimulation.beginnings=5} starts at more first seeds than one.
 */
@LongRunning
class ITPlantedBugs {
  /** The number of histories with its focus within which each bug is found, from any beginning. */
  private static final int ENOUGH = Integer.getInteger("simulation.enough", 20);

  /** The number within which it is usually found; one beginning says nothing about that. */
  private static final int MOSTLY = 5;

  private static final int BEGINNINGS = Integer.getInteger("simulation.beginnings", 1);
  private static final int APART = 1_000;
  private static final int AT_ONCE = 4;
  private static final int PER_THOUSAND = 15;

  @ParameterizedTest
  @MethodSource("bugs")
  void simulation_ofAPlantedBug_findsItFromAnyBeginning(PlantedBug bug) {
    var beginnings = LongStream.range(0, BEGINNINGS).map(i -> 1 + i * APART).boxed().toList();

    var needed = ParallelCalls.map(beginnings, AT_ONCE, first -> needed(bug, first));

    System.out.printf("%s found after so many histories of %s: %s%n", bug, bug.focus(), needed);
    assertThat(needed).allSatisfy(seeds -> assertThat(seeds).isLessThanOrEqualTo(ENOUGH));
    if (BEGINNINGS > 1) {
      assertThat(usually(needed)).isLessThanOrEqualTo(MOSTLY);
    }
  }

  private static Stream<PlantedBug> bugs() {
    var chosen = System.getProperty("simulation.bugs", "");
    return chosen.isEmpty()
        ? BugsOfRun.of(List.of(PlantedBug.values()))
        : Arrays.stream(chosen.split(",")).map(PlantedBug::valueOf);
  }

  /** The number of histories until the bug was found; one more than the limit when it was not. */
  private static int needed(PlantedBug bug, long first) {
    try (var table = StreamedTable.start()) {
      var simulation = new Simulation(table, bug.subject(), FaultMix.all(PER_THOUSAND));
      var seeds = bug.focus().seedsFrom(first).limit(ENOUGH);
      return 1 + (int) seeds.takeWhile(seed -> simulation.run(seed).matchesModel()).count();
    }
  }

  /** The median; of an even number, the higher one of the two in the middle. */
  private static int usually(List<Integer> needed) {
    return needed.stream().sorted().toList().get(needed.size() / 2);
  }
}
