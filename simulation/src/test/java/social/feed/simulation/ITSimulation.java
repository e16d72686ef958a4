package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.testkit.fault.FaultKind;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.HistoryFocus;
import social.feed.testkit.simulation.HistoryResult;
import social.feed.testkit.simulation.Simulation;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Random histories with all kinds of faults. {@code -Dsimulation.seeds=10000} runs many, {@code
 * -Dsimulation.first=4711 -Dsimulation.seeds=1} one again, and {@code -Dsimulation.about=ERASURES}
 * those about one {@link HistoryFocus}.
 */
class ITSimulation {
  /** A table grows with its histories, and so does the time of a scan. */
  private static final int WORLDS_A_TABLE = 10;

  /** Workers, each with an engine of its own, which each waits for some of the time. */
  private static final int AT_ONCE = 4;

  /** As many histories meet each kind of fault. */
  private static final int FEW = 30;

  private static final int PER_THOUSAND = 15;
  private static final long EVERY_10_S = 10_000_000_000L;

  private static final List<String> OF_THE_STREAM =
      List.of(
          "answer of the function lost",
          "answered in part",
          "cut in two",
          "delivered while the first still ran",
          "failed",
          "new shard",
          "redriven",
          "set back");

  private static final String ABOUT = System.getProperty("simulation.about", "");

  private final int seeds = Integer.getInteger("simulation.seeds", FEW);
  private final long started = System.nanoTime();
  private long reported = started;
  private int done;
  private final Map<String, Integer> happened = new TreeMap<>();
  private final ArrayList<String> failed = new ArrayList<>();

  @Test
  void history_ofAnySeed_endsAsTheModelSays() {
    var tables = seeds().boxed().gather(Gatherers.windowFixed(WORLDS_A_TABLE)).toList();
    ParallelCalls.map(tables, AT_ONCE, this::run);
    report((System.nanoTime() - started) / 1e9);

    assertThat(failed).isEmpty();
    if (ABOUT.isEmpty() && seeds >= FEW) {
      assertThat(happened).containsKeys(kindsThatCome());
    }
  }

  private LongStream seeds() {
    long first = Long.getLong("simulation.first", 1);
    var all =
        ABOUT.isEmpty()
            ? LongStream.iterate(first, seed -> seed + 1)
            : HistoryFocus.valueOf(ABOUT).seedsFrom(first);
    return all.limit(seeds);
  }

  private static String[] kindsThatCome() {
    return Stream.concat(
            Arrays.stream(FaultKind.values()).map(FaultKind::name), OF_THE_STREAM.stream())
        .toArray(String[]::new);
  }

  /** Runs histories on a table of their own; returns how many. */
  private int run(List<Long> some) {
    try (var table = StreamedTable.start()) {
      var simulation = new Simulation(table, new VerifiedMultiplexer(), FaultMix.all(PER_THOUSAND));
      for (long seed : some) {
        try {
          var outcome = simulation.run(seed);
          note(outcome);
          if (seeds == 1) {
            outcome.story().get().forEach(System.out::println);
          }
        } catch (RuntimeException e) {
          noteBroken(seed, e);
        }
      }
      return some.size();
    }
  }

  /** Reports a failure of the simulation itself; the other histories still run. */
  private synchronized void noteBroken(long seed, RuntimeException why) {
    var line = "Seed %d could not be simulated: %s".formatted(seed, why);
    System.out.println(line);
    why.printStackTrace(System.out);
    failed.add(line);
  }

  /** Reports the progress of a run of hours. */
  private void reportNowAndThen() {
    done++;
    if (System.nanoTime() - reported > EVERY_10_S) {
      reported = System.nanoTime();
      double seconds = (reported - started) / 1e9;
      System.out.printf(
          "%d histories, %.1f a second, %d not exact%n", done, done / seconds, failed.size());
    }
  }

  private synchronized void note(HistoryResult outcome) {
    outcome.happened().forEach((what, times) -> happened.merge(what, times, Integer::sum));
    if (!outcome.matchesModel()) {
      var line =
          "Seed %d: %s%n  again: mvn -pl simulation -am"
                  .formatted(outcome.seed(), outcome.violations())
              + " -Dtest=ITSimulation -Dsurefire.failIfNoSpecifiedTests=false"
              + " -Dsimulation.first=%d -Dsimulation.seeds=1 test".formatted(outcome.seed());
      System.out.println(line);
      System.out.println("The calls are in " + outcome.writeStory());
      failed.add(line);
    }
    reportNowAndThen();
  }

  private void report(double seconds) {
    System.out.printf(
        "%d histories in %.1f s, %.1f a second, %d not exact; %s%n",
        seeds, seconds, seeds / seconds, failed.size(), happened);
  }
}
