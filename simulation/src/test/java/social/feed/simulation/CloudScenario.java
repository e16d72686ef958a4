package social.feed.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.streams.simulated.SimulatedCloud;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.User;
import social.feed.table.user.Users;
import social.feed.testkit.SamplePosts;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.Scale;

/**
 * A platform with a cloud's limits: throughput by partition, latency, deadlines and lag. {@code
 * -Dcloud.times=10} multiplies the length of each load.
 */
abstract class CloudScenario {
  static final int TIMES = Integer.getInteger("cloud.times", 1);

  static final int EFFECTS_TRACKS = SimulatedCloud.EFFECTS_TRACKS;
  static final Duration DEADLINE = SimulatedCloud.DEADLINE;

  static final long CAP = 5_000;

  static final Scale SCALE = SimulatedCloud.SCALE;

  /** Posts of others in a second; no divisor of a load, so that they meet it in every phase. */
  private static final int STRANGERS = 7;

  /** The same ids in each run: they decide which records share a shard. */
  private final Random random = new Random(1);

  @AfterEach
  void reportProcessorTime() {
    System.out.printf(
        "%.1f s of processor time so far%n",
        ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3);
  }

  /** The first one of some, or all with {@code -Dcloud.variants=all}, as each night. */
  @SafeVarargs
  static <T> Stream<T> variants(T... all) {
    return "all".equals(System.getProperty("cloud.variants")) ? Stream.of(all) : Stream.of(all[0]);
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
    return SimulatedCloud.of(limits, shards, scale, deadline, subject);
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

  /** Registers an account, and writes edges of followers without accounts. */
  static void userWithFans(Cloud cloud, String userId, int followers) {
    users(cloud, userId);
    cloud
        .unlimited()
        .putAll(
            IntStream.range(0, followers)
                .mapToObj(i -> Follow.imported("fan" + i, userId, now(cloud)))
                .toList());
  }

  /** Writes a public post. A text that begins with # is its tag. */
  Post create(Cloud cloud, Posts posts, String author, String text) {
    var now = now(cloud);
    var post =
        SamplePosts.by(author, now)
            .randomId(random)
            .text(text)
            .tags(text.startsWith("#") ? List.of(text.substring(1)) : List.of())
            .feedShards(SCALE.feedShards())
            .build();
    posts.create(post);
    return post;
  }

  static Like like(Cloud cloud, Post post, String user) {
    return Like.of(post, user, now(cloud));
  }

  /** The delays of strangers' posts without a load and with it. */
  record Delays(List<Duration> without, List<Duration> with) {
    Duration quiet(double share) {
      return Cloud.percentile(without, share);
    }

    Duration busy(double share) {
      return Cloud.percentile(with, share);
    }

    Duration bound(double share) {
      return quiet(share).plus(quiet(share).dividedBy(10));
    }

    @Override
    public String toString() {
      return "posts of others delivered within %s (90 %%) and %s (99 %%), without it within %s and %s"
          .formatted(busy(0.9), busy(0.99), quiet(0.9), quiet(0.99));
    }
  }

  /** Returns the delays of strangers' posts, first alone and then next to a load. */
  Delays delaysOfOthers(Cloud cloud, Duration duration, Runnable load) {
    return delaysOfOthers(cloud, STRANGERS, duration, load);
  }

  /** As above, with another number of posts a second. */
  Delays delaysOfOthers(Cloud cloud, double perSecond, Duration duration, Runnable load) {
    var without = bystanders(cloud, perSecond, duration, () -> {});
    return new Delays(without, bystanders(cloud, perSecond, duration, load));
  }

  /**
   * Lets authors with few followers post next to other load; returns how long each post took from
   * its arrival in the stream until it was in all feeds. Each author posts once in a while only, so
   * that no limit of theirs matters.
   */
  private List<Duration> bystanders(
      Cloud cloud, double perSecond, Duration duration, Runnable load) {
    var name = "quiet" + cloud.time().passed().toMillis() + "-";
    int authors = (int) Math.min(20, perSecond * duration.toSeconds());
    var edges = new ArrayList<Follow>();
    for (int i = 0; i < authors; i++) {
      users(cloud, name + i);
      for (int reader = 0; reader < 3; reader++) {
        edges.add(Follow.imported("reader" + i + "-" + reader, name + i, now(cloud)));
      }
    }
    cloud.unlimited().putAll(edges);
    assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
    int first = cloud.effects().handled().size();
    var created = new ArrayList<Post>();
    var posts = new Posts(cloud.table());
    cloud.load(
        perSecond, duration, i -> created.add(create(cloud, posts, name + i % authors, "well")));
    load.run();
    cloud.run(duration);
    assertThat(cloud.drain(Duration.ofHours(6))).isTrue();
    var arrived = new HashMap<String, Duration>();
    cloud.effects().handled().stream()
        .skip(first)
        .forEach(handled -> arrived.putIfAbsent(handled.partition(), handled.at()));
    return created.stream()
        .map(post -> delivered(cloud, post).minus(arrival(arrived, post)))
        .toList();
  }

  private static Duration arrival(Map<String, Duration> arrived, Post post) {
    return requireNonNull(arrived.get(Post.key(post.postId()).partition()));
  }

  /** Returns when the delivery of a post noted its end, behind all entries in feeds. */
  private static Duration delivered(Cloud cloud, Post post) {
    return cloud
        .throughput()
        .writtenAt("table/" + FanOutPlan.key(post.postId()).partition())
        .orElseThrow(() -> new AssertionError("Not delivered: " + post));
  }

  /** Asserts that posts of others take at most a tenth longer. */
  static void assertUndisturbed(Delays delays) {
    assertThat(delays.busy(0.9)).isLessThanOrEqualTo(delays.bound(0.9));
    assertThat(delays.busy(0.99)).isLessThanOrEqualTo(delays.bound(0.99));
  }

  /** Returns how many feeds have a post. */
  static int holders(Cloud cloud, Post post) {
    return new HomeFeeds(cloud.unlimited()).holders(post.postId(), post.feedShards()).size();
  }

  static String sortKey(DynamodbStreamRecord record) {
    return requireNonNull(record.getDynamodb().getKeys().get(BaseTable.SK)).getS();
  }
}
