package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.simulation.CrashPoints;
import social.feed.testkit.simulation.CrashPoints.Sides;
import social.feed.testkit.simulation.CrashPoints.SweepResult;
import social.feed.testkit.simulation.Flow;
import social.feed.testkit.simulation.StreamedTable;
import social.feed.testkit.simulation.Subject;

/**
 * An operation that is cut off at any write ends with the same result as without the crash. {@code
 * -Dcrash.every=1} cuts off each write instead of every eighth one, and {@code -Dcrash.sides=ALL}
 * in all ways instead of one.
 */
@LongRunning
class ITCrashPoints {
  private static final Sides SIDES =
      Sides.valueOf(System.getProperty("crash.sides", Sides.ROTATING.name()));

  private static final int EVERY = Integer.getInteger("crash.every", 8);

  /** Workers, each with an engine of its own. */
  private static final int AT_ONCE = 4;

  @Test
  void flow_cutOffAtAnyWrite_endsAsTheModelSays() {
    var swept = sweep(List.of(Flow.values()), new VerifiedMultiplexer(), SIDES, EVERY);

    swept.forEach(
        flow ->
            System.out.printf(
                "%-26s %3d writes %4d points %2d violations%n",
                flow.flow(), flow.writes(), flow.tried(), flow.violations().size()));
    System.out.printf("%d points%n", swept.stream().mapToInt(SweepResult::tried).sum());
    assertThat(swept).allSatisfy(flow -> assertThat(flow.violations()).isEmpty());
    assertThat(swept)
        .allSatisfy(
            flow -> {
              assertThat(flow.writes()).isPositive();
              assertThat(flow.tried())
                  .isEqualTo(
                      Math.ceilDiv(flow.writes(), EVERY)
                          * (SIDES == Sides.ALL ? Side.values().length : 1));
            });
  }

  @Test
  void sweep_ofAFunctionThatContinuesAfterAFailedWrite_findsTheBug() {
    var swept = sweep(List.of(Flow.FAN_OUT_SMALL), PlantedBug.GOING_ON.subject(), Sides.ALL, 1);

    assertThat(swept.getFirst().violations())
        .anySatisfy(violation -> assertThat(violation).startsWith("ANSWER_LOST"));
  }

  private static List<SweepResult> sweep(
      List<Flow> flows, Subject subject, Sides sides, int every) {
    return ParallelCalls.map(
        flows,
        AT_ONCE,
        flow -> {
          try (var table = StreamedTable.start()) {
            return new CrashPoints(table, subject).sweep(flow, sides, every);
          }
        });
  }
}
