package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.FaultMix;
import social.feed.testkit.simulation.CloudSimulation;
import social.feed.testkit.simulation.HistoryResult;
import social.feed.testkit.simulation.StreamedTable;

/**
 * Random histories with the limits of a cloud. {@code -Dcloud.seeds=1000} runs many, and {@code
 * -Dcloud.first=4711 -Dcloud.seeds=1} one again, which is printed line by line.
 */
@LongRunning
class ITCloudHistories {
  private static final int FEW = 11;

  private static final int SEEDS = Integer.getInteger("cloud.seeds", FEW);
  private static final long FIRST = Long.getLong("cloud.first", 1);

  /** A table grows with its histories, and so does the time of a scan. */
  private static final int WORLDS_A_TABLE = 10;

  private static final int AT_ONCE = 2;
  private static final int PER_THOUSAND = 15;
  private static final long EVERY_10_S = 10_000_000_000L;

  /** The first and the last of the seeds whose histories meet rare limits too. */
  private static final long FIRST_RARE = 34;

  private static final long LAST_RARE = 66;

  private static final Set<CloudTable.Limit> RARE =
      EnumSet.of(CloudTable.Limit.GHOST, CloudTable.Limit.LATE_CALL);

  private static final List<String> OF_THE_LANES =
      List.of(
          "answer of the function lost",
          "answered in part",
          "given up by its client",
          "lane stopped for hours",
          "new shards",
          "redriven",
          "set back",
          "timed out",
          "waited for concurrency");

  private final long started = System.nanoTime();
  private long reported = started;
  private int done;
  private final Map<String, Integer> happened = new TreeMap<>();
  private final ArrayList<String> failed = new ArrayList<>();

  @Test
  void history_withALimitedCloud_endsAsTheModelSays() {
    var tables =
        LongStream.range(FIRST, FIRST + SEEDS)
            .boxed()
            .gather(Gatherers.windowFixed(WORLDS_A_TABLE))
            .toList();
    ParallelCalls.map(tables, AT_ONCE, this::run);
    report("all");

    assertThat(failed).isEmpty();
    assertThat(done).isEqualTo(SEEDS).isPositive();
    if (SEEDS >= FEW) {
      assertThat(happened).containsKeys(limits());
    }
  }

  @Test
  void history_ofOneSeed_isTheSameOnAnotherTable() {
    assertThat(storyOf(FIRST)).isEqualTo(storyOf(FIRST));
  }

  private static List<String> storyOf(long seed) {
    try (var table = StreamedTable.start()) {
      return simulation(table).run(seed).story().get();
    }
  }

  private static boolean isRareMet() {
    return FIRST <= FIRST_RARE && FIRST + SEEDS > LAST_RARE;
  }

  private static String[] limits() {
    return Stream.concat(
            Arrays.stream(CloudTable.Limit.values())
                .filter(limit -> isRareMet() || !RARE.contains(limit))
                .map(CloudTable.Limit::name),
            OF_THE_LANES.stream())
        .toArray(String[]::new);
  }

  /** Runs histories on a table of their own; returns how many. */
  private int run(List<Long> some) {
    try (var table = StreamedTable.start()) {
      var simulation = simulation(table);
      for (long seed : some) {
        try {
          note(simulation.run(seed));
        } catch (RuntimeException e) {
          e.printStackTrace(System.out);
          fail("Seed %d could not be simulated: %s".formatted(seed, e));
        }
      }
      return some.size();
    }
  }

  private static CloudSimulation simulation(StreamedTable table) {
    return new CloudSimulation(table, new VerifiedMultiplexer(), FaultMix.all(PER_THOUSAND));
  }

  private synchronized void fail(String line) {
    System.out.println(line);
    failed.add(line);
  }

  private synchronized void note(HistoryResult result) {
    result.happened().forEach((what, times) -> happened.merge(what, times, Integer::sum));
    if (!result.matchesModel()) {
      System.out.println("The calls are in " + result.writeStory());
      fail(
          "Seed %d: %s%n  again: mvn -pl simulation -am"
                  .formatted(result.seed(), result.violations())
              + " -Dtest=ITCloudHistories -Dsurefire.failIfNoSpecifiedTests=false"
              + " -Dcloud.first=%d -Dcloud.seeds=1 test".formatted(result.seed()));
    }
    if (SEEDS == 1) {
      result.story().get().forEach(System.out::println);
    }
    done++;
    if (System.nanoTime() - reported > EVERY_10_S) {
      reported = System.nanoTime();
      report("so far");
    }
  }

  private void report(String which) {
    double seconds = (System.nanoTime() - started) / 1e9;
    System.out.printf(
        "%d histories %s in %.1f s, %.1f s of processor time, %d not exact; %s%n",
        done,
        which,
        seconds,
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3,
        failed.size(),
        happened);
  }
}
