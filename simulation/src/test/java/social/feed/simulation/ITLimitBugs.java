package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.CloudSimulation;
import social.feed.testkit.simulation.HistoryResult;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Histories with the limits of a cloud find bugs that only the limits show. {@code
 * -Dcloud.control=true} also runs the history that finds one with the limits off, and with the
 * limits but without the bug: both end as the model says. {@code -Dsimulation.bugs.every=1} plants
 * each bug.
 */
@LongRunning
class ITLimitBugs {
  /** The number of histories within which each bug is found. */
  private static final int ENOUGH = 40;

  private static final boolean HAS_CONTROL = Boolean.getBoolean("cloud.control");
  private static StreamedTable table;

  @BeforeAll
  static void startTable() {
    table = StreamedTable.start();
  }

  @AfterAll
  static void stopTable() {
    table.close();
  }

  private static Stream<LimitBug> bugs() {
    return BugsOfRun.of(List.of(LimitBug.values()));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void histories_withALimitedCloud_findTheBug(LimitBug bug) {
    var simulation = new CloudSimulation(table, bug.subject(), FaultMix.none());
    long first = bug.first();
    HistoryResult result;
    long seed = first;
    do {
      result = simulation.run(seed++);
    } while (silent(result).isEmpty() && seed < first + ENOUGH);

    System.out.printf("%s found after %d histories: %s%n", bug, seed - first, result.violations());
    assertThat(silent(result)).isNotEmpty();
    if (HAS_CONTROL) {
      assertThat(simulation.withoutLimits().run(result.seed()).violations()).isEmpty();
      try (var other = StreamedTable.start()) {
        var sound = new CloudSimulation(other, new MultiplexerSubject(), FaultMix.none());
        assertThat(sound.run(result.seed()).violations()).isEmpty();
      }
    }
  }

  /** A dead letter may only show that a handler does not understand an answer of the bug. */
  private static List<String> silent(HistoryResult result) {
    return result.violations().stream()
        .filter(violation -> !violation.startsWith("dead letter of"))
        .toList();
  }
}
