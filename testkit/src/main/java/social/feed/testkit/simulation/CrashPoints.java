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
 * Tries a flow once for each write that it makes and each way in which that can go wrong: the
 * process dies before it, dies after it, or does not hear of it. Then it starts again, whoever
 * asked asks again, the stream is brought to its end, and the table is compared with the model.
 * Which writes there are is recorded from a run in which nothing goes wrong.
 */
public final class CrashPoints {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** The same order of everything in each try. */
  private static final long SEED = 42;

  private final StreamedTable table;
  private final Subject subject;
  private int worlds;

  /**
   * What came of a flow.
   *
   * @param writes that it makes when nothing goes wrong
   * @param tried points at which it was made to go wrong, and did
   * @param violations where the table then differed from the model
   */
  public record Swept(Flow flow, int writes, int tried, List<String> violations) {
    public Swept {
      violations = List.copyOf(violations);
    }
  }

  public CrashPoints(StreamedTable table, Subject subject) {
    this.table = table;
    this.subject = subject;
  }

  /** Tries all points of a flow. */
  public Swept sweep(Flow flow) {
    var sound = CrashPoint.counting();
    var violations = new ArrayList<>(violations(flow, sound));
    int tried = 0;
    for (int at = 1; at <= sound.writes(); at++) {
      for (var side : Side.values()) {
        var point = new CrashPoint(at, side);
        for (var violation : violations(flow, point)) {
          violations.add("%s write %d of %s: %s".formatted(side, at, flow, violation));
        }
        tried += point.happened() ? 1 : 0;
      }
    }
    return new Swept(flow, sound.writes(), tried, violations);
  }

  private List<String> violations(Flow flow, CrashPoint point) {
    var clock = new SteppingClock(START);
    var wire = new Later();
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
            point::revive,
            new HistoryLog(),
            // Ids of all tries differ, since they share a table.
            new SplittableRandom(SEED + number),
            flow.scale(),
            2);
    world.counts.becomeReliable();
    world.effects.becomeReliable();
    var cast = new FlowContext(world, clock);
    flow.prepare(cast);
    world.settle();
    wire.to = point;
    flow.act(cast);
    world.settle();
    var violations = world.violations();
    table.forget();
    return violations;
  }

  /** Nothing goes wrong before the flow begins. */
  private static final class Later implements Wire {
    private Wire to = Wire.SOUND;

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
      return to.send(request, answer);
    }
  }
}
