package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.CrashPoint;
import social.feed.testkit.fault.CrashPoint.Side;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs a flow once for each of its writes and a {@link Side}: the process dies before the write,
 * dies after it, or loses its answer. Then the process restarts, the client retries, the stream is
 * delivered completely, and the table is compared with the model. A first run without faults counts
 * the writes.
 */
public final class CrashPoints {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** Gives every run the same order of steps. */
  private static final long SEED = 42;

  private final StreamedTable table;
  private final Subject subject;
  private int worlds;

  /**
   * The result of a flow.
   *
   * @param writes the number of writes without faults
   * @param tried the number of points at which a fault was injected and took place
   * @param violations the differences between the table and the model
   */
  public record SweepResult(Flow flow, int writes, int tried, List<String> violations) {
    public SweepResult {
      violations = List.copyOf(violations);
    }
  }

  public CrashPoints(StreamedTable table, Subject subject) {
    this.table = table;
    this.subject = subject;
  }

  /** How a write is cut off. */
  public enum Sides {
    /** In all ways, one after the other. */
    ALL,
    /** In one way, which is another one for the next write. */
    ROTATING;

    List<Side> of(int write) {
      var all = List.of(Side.values());
      return this == ALL ? all : List.of(all.get(write % all.size()));
    }
  }

  /**
   * Runs a flow once for some of its writes and each side.
   *
   * @param every 1 for all writes, 2 for the first, the third and so on
   */
  public SweepResult sweep(Flow flow, Sides sides, int every) {
    var faultless = CrashPoint.counting();
    var violations = new ArrayList<>(violations(flow, faultless));
    int attempted = 0;
    for (int at = 1; at <= faultless.writes(); at += every) {
      for (var side : sides.of(at)) {
        var point = new CrashPoint(at, side);
        for (var violation : violations(flow, point)) {
          violations.add("%s write %d of %s: %s".formatted(side, at, flow, violation));
        }
        attempted += point.happened() ? 1 : 0;
      }
    }
    return new SweepResult(flow, faultless.writes(), attempted, violations);
  }

  private List<String> violations(Flow flow, CrashPoint point) {
    var clock = new SteppingClock(START);
    var wire = new SwitchableWire();
    int number = ++worlds;
    var world =
        new World(
            "c" + number,
            table,
            subject,
            clock,
            new SplittableRandom(SEED),
            wire,
            wire,
            point::restart,
            new HistoryLog(),
            // The runs share a table, so each needs its own ids.
            new SplittableRandom(SEED + number),
            flow.scale(),
            2);
    world.counts.becomeReliable();
    world.effects.becomeReliable();
    var context = new FlowContext(world, clock);
    flow.prepare(context);
    world.settle();
    wire.to = point;
    flow.act(context);
    world.settle();
    world.inspect();
    var violations = world.violations();
    table.forget();
    return violations;
  }

  /** A wire that injects no faults until the action of the flow starts. */
  private static final class SwitchableWire implements Wire {
    private Wire to = Wire.SOUND;

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
      return to.send(request, answer);
    }
  }
}
