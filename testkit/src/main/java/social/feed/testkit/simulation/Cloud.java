package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntConsumer;
import social.feed.engine.DirectDynamoDb;
import social.feed.engine.eventsource.StreamTail;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.fault.WiredClient;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * The table, its stream and the function behind it with a cloud's limits, on a virtual clock: the
 * real engine, the real stores and the real handlers. Requests arrive at a given rate, whether the
 * earlier ones are answered or not.
 */
public final class Cloud implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final String NAME = "feed";
  private static final Duration STREAM_DELAY = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int ATTEMPTS = 8;
  private static final long SECOND_IN_NANOS = 1_000_000_000;

  private final DirectDynamoDb engine = DirectDynamoDb.start();
  private final VirtualTime time = new VirtualTime(START);
  private final Random random = new Random(1);
  private final VirtualTime.Signal written = time.new Signal();
  private final InheritableThreadLocal<CloudTable.InvocationEnd> deadline =
      new InheritableThreadLocal<>();
  private final StreamTail tail;
  private final CloudTable limits;
  private final CloudLane counts;
  private final CloudLane effects;
  private final List<String> deadLetters = new ArrayList<>();
  private final int shards;
  private Instant shardsSince = START;

  /**
   * The settings of a cloud.
   *
   * @param limits the throughput of partitions
   * @param shards the open shards of the stream
   * @param scale the limits of the function
   */
  public record Settings(
      CloudTable.Limits limits,
      int shards,
      CloudLane.Settings counts,
      CloudLane.Settings effects,
      Scale scale) {}

  /** The answers to requests. */
  public static final class Answers {
    private final List<Duration> times = new ArrayList<>();
    private int refused;

    /** Returns the number of requests that were answered. */
    public int done() {
      return times.size();
    }

    /** Returns the number of requests that ended with an error after all their attempts. */
    public int refused() {
      return refused;
    }

    /** Returns the share of the requests that ended with an error. */
    public double refusedShare() {
      return refused == 0 ? 0 : (double) refused / (refused + times.size());
    }

    /** Returns the time within which a share of the answered requests was answered. */
    public Duration within(double share) {
      return percentile(times, share);
    }
  }

  public Cloud(Settings settings, Subject subject) {
    this.shards = settings.shards;
    var client = engine.client();
    new TableProvisioning(client, FeedTable.DECLARATION.unprotected()).ensure(NAME);
    var arn = client.describeTable(d -> d.tableName(NAME)).table().latestStreamArn();
    this.tail = new StreamTail(engine.streams(), arn);
    this.limits = new CloudTable(client, NAME, time, settings.limits, random, written);
    var sinks =
        new Subject.Sinks(
            record -> deadLetters.add(String.valueOf(record.getDynamodb().getKeys())), _ -> {});
    var function =
        subject.function(over(limits.until(this::deadline)), time, settings.scale, sinks);
    this.counts = new CloudLane(settings.counts, subject::isCounted, function, time, deadline);
    this.effects = new CloudLane(settings.effects, subject::hasEffects, function, time, deadline);
    time.start(Duration.ZERO, this::followStream);
  }

  private CloudTable.InvocationEnd deadline() {
    var end = deadline.get();
    return end == null ? CloudTable.InvocationEnd.of(time.passed(), Duration.ofDays(1)) : end;
  }

  /** Returns the table as the API sees it. */
  public Table table() {
    return over(limits);
  }

  /** Returns the table without limits, to prepare a scenario and to look at its end. */
  public Table unlimited() {
    return over(
        new Wire() {
          @Override
          public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
            A answer = table.apply(request);
            synchronized (written) {
              written.give();
            }
            return answer;
          }
        });
  }

  private Table over(Wire wire) {
    var retry = new Retry(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE, random, time::sleep);
    return new Table(WiredClient.of(engine.client(), wire), NAME, retry);
  }

  public VirtualTime time() {
    return time;
  }

  /** Returns the limits of the table and what was consumed. */
  public CloudTable limits() {
    return limits;
  }

  public CloudLane counts() {
    return counts;
  }

  public CloudLane effects() {
    return effects;
  }

  /** Returns the keys of the dead letters. */
  public List<String> deadLetters() {
    return deadLetters;
  }

  /** Sends requests at a rate. They begin now; the caller lets the time pass. */
  public Answers load(double perSecond, Duration duration, IntConsumer request) {
    var answers = new Answers();
    int all = (int) (perSecond * duration.toSeconds());
    for (int i = 0; i < all; i++) {
      int number = i;
      time.start(
          Duration.ofNanos((long) (i * SECOND_IN_NANOS / perSecond)),
          () -> answer(answers, number, request));
    }
    return answers;
  }

  private void answer(Answers answers, int number, IntConsumer request) {
    var sent = time.passed();
    try {
      request.accept(number);
      answers.times.add(time.passed().minus(sent));
    } catch (SdkException | ThrottledException e) {
      answers.refused++;
    }
  }

  /** Lets time pass. */
  public void run(Duration duration) {
    time.run(duration);
  }

  /**
   * Lets time pass until the counts lane has handled all records.
   *
   * @return whether it did within a time
   */
  public boolean drainCounts(Duration limit) {
    return drain(limit, List.of(counts));
  }

  /** As {@link #drainCounts}, for both lanes. */
  public boolean drain(Duration limit) {
    return drain(limit, List.of(counts, effects));
  }

  private boolean drain(Duration limit, List<CloudLane> lanes) {
    var end = time.passed().plus(limit);
    do {
      time.run(STREAM_DELAY.multipliedBy(5));
    } while (lanes.stream().anyMatch(lane -> lane.waiting() > 0)
        && time.passed().compareTo(end) < 0);
    return lanes.stream().allMatch(lane -> lane.waiting() == 0);
  }

  /** Ends all open shards; each has a child with the same keys. */
  public void rollShards() {
    shardsSince = time.clock().instant();
  }

  private void followStream() {
    while (true) {
      var read = tail.read();
      read.forEach(this::offer);
      if (read.isEmpty()) {
        written.await();
      }
      time.sleep(STREAM_DELAY);
    }
  }

  /** Returns the id of a shard in DynamoDB's form, which contains the time of its creation. */
  public static String shardId(Instant since, int place) {
    return "shardId-%020d-%08x".formatted(since.toEpochMilli(), place);
  }

  private void offer(StreamTail.Tailed tailed) {
    var key = requireNonNull(tailed.record().getDynamodb().getKeys().get(BaseTable.PK)).getS();
    int place = Math.floorMod(key.hashCode(), shards);
    var shard = shardId(shardsSince, place);
    counts.offer(place, shard, tailed.record());
    effects.offer(place, shard, tailed.record());
  }

  /** Returns the duration that a share of some durations does not exceed; zero for none. */
  public static Duration percentile(List<Duration> all, double share) {
    if (all.isEmpty()) {
      return Duration.ZERO;
    }
    var sorted = all.stream().sorted().toList();
    return sorted.get((int) Math.min(sorted.size() - 1L, Math.round(share * sorted.size())));
  }

  @Override
  public void close() {
    time.close();
    engine.close();
  }
}
