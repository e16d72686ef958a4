package social.feed.streams.simulated;

import java.time.Duration;
import social.feed.streams.LaneMapping;
import social.feed.streams.plan.Lane;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/** Clouds whose lanes have the settings of the deployed ones. */
public final class SimulatedCloud {
  /** The records of a batch at most, the concurrency of a shard, and the time of a call. */
  private static final int COUNTS_BATCH = 10_000;

  private static final int EFFECTS_BATCH = 500;
  public static final int EFFECTS_TRACKS = 10;
  public static final Duration DEADLINE = Duration.ofMinutes(15);

  /** Lambda's concurrency of an account, of which a part is reserved for counts. */
  private static final int COUNTS_CONCURRENCY = 100;

  private static final int EFFECTS_CONCURRENCY = 900;

  public static final Scale SCALE = new Scale(20, 10_000, 500, 8, EFFECTS_TRACKS);

  private SimulatedCloud() {}

  /** Returns a cloud with a table of its own. */
  public static Cloud of(
      CloudTable.Limits limits, int shards, Scale scale, Duration deadline, Subject subject) {
    return new Cloud(
        new Cloud.Settings(
            limits,
            shards,
            lane(Lane.COUNTS, COUNTS_CONCURRENCY, 1, COUNTS_BATCH, deadline),
            lane(Lane.EFFECTS, EFFECTS_CONCURRENCY, EFFECTS_TRACKS, EFFECTS_BATCH, deadline),
            scale),
        subject);
  }

  /**
   * Returns a cloud with one shard and few invocations at once.
   *
   * @param areShared whether the lanes share them, instead of having as many each
   */
  public static Cloud ofFewInvocations(int atOnce, boolean areShared, Subject subject) {
    return new Cloud(
        new Cloud.Settings(
            CloudTable.Limits.scaledDown(1),
            1,
            lane(Lane.COUNTS, atOnce, 1, COUNTS_BATCH, DEADLINE),
            lane(Lane.EFFECTS, atOnce, EFFECTS_TRACKS, EFFECTS_BATCH, DEADLINE),
            SCALE,
            areShared),
        subject);
  }

  private static CloudLane.Settings lane(
      Lane lane, int concurrency, int tracks, int batch, Duration deadline) {
    var mapping = LaneMapping.of(lane);
    return new CloudLane.Settings(
        concurrency,
        tracks,
        mapping.tumblingWindow().isPresent(),
        !mapping.everyRecord(),
        batch,
        mapping.batchingWindow(),
        deadline);
  }
}
