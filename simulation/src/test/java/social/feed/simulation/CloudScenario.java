package social.feed.simulation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import social.feed.streams.LaneMapping;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.row.Visibility;
import social.feed.table.user.Users;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.testkit.simulation.Scale;

/**
 * A platform with a cloud's limits: throughput by partition, latency, deadlines and lag. {@code
 * -Dcloud.times=10} multiplies the length of each load.
 */
abstract class CloudScenario {
  static final int TIMES = Integer.getInteger("cloud.times", 1);

  /** The records of a batch at most, the concurrency of a shard, and the time of a call. */
  private static final int COUNTS_BATCH = 10_000;

  private static final int EFFECTS_BATCH = 500;
  static final int EFFECTS_TRACKS = 10;
  static final Duration DEADLINE = Duration.ofMinutes(15);

  /** Lambda's concurrency of an account, of which a part is reserved for counts. */
  private static final int COUNTS_CONCURRENCY = 100;

  private static final int EFFECTS_CONCURRENCY = 900;

  static final long CAP = 5_000;

  static final Scale SCALE = new Scale(20, 10_000, 500, 8, EFFECTS_TRACKS);

  /** The same ids in each run: they decide which records share a shard. */
  private final Random random = new Random(1);

  @AfterEach
  void reportProcessorTime() {
    System.out.printf(
        "%.1f s of processor time so far%n",
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3);
  }

  static CloudTable.Limits limits(double factor) {
    return CloudTable.Limits.scaledDown(factor);
  }

  static Cloud cloud(CloudTable.Limits limits, int shards) {
    return cloud(limits, shards, SCALE);
  }

  static Cloud cloud(CloudTable.Limits limits, int shards, Scale scale) {
    return cloud(limits, shards, scale, DEADLINE);
  }

  static Cloud cloud(CloudTable.Limits limits, int shards, Scale scale, Duration deadline) {
    return cloud(limits, shards, scale, deadline, new MultiplexerSubject());
  }

  static Cloud cloud(
      CloudTable.Limits limits,
      int shards,
      Scale scale,
      Duration deadline,
      MultiplexerSubject subject) {
    return new Cloud(
        new Cloud.Settings(
            limits,
            shards,
            lane(Lane.COUNTS, COUNTS_CONCURRENCY, 1, COUNTS_BATCH, deadline),
            lane(Lane.EFFECTS, EFFECTS_CONCURRENCY, EFFECTS_TRACKS, EFFECTS_BATCH, deadline),
            scale),
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

  static Clock clock(Cloud cloud) {
    return cloud.time().clock();
  }

  static Instant now(Cloud cloud) {
    return Timestamps.now(clock(cloud));
  }

  static void users(Cloud cloud, String... ids) {
    var users = new Users(cloud.unlimited());
    for (var id : ids) {
      users.register(User.registered(id, id, id, null, now(cloud)));
    }
  }

  /** Writes a public post. A text that begins with # is its tag. */
  Post create(Cloud cloud, Posts posts, String author, String text) {
    var now = now(cloud);
    var post =
        new Post(
            TimeOrderedId.random(now, random),
            author,
            text,
            text.startsWith("#") ? List.of(text.substring(1)) : List.of(),
            List.of(),
            Visibility.PUBLIC,
            null,
            now,
            SCALE.feedShards(),
            FanOutMode.PUSH,
            0,
            0,
            Map.of());
    posts.create(post);
    return post;
  }

  static Like like(Cloud cloud, Post post, String user) {
    return Like.of(post, user, now(cloud));
  }
}
