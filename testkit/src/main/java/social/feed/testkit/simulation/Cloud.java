package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import social.feed.engine.eventsource.StreamTail.Tailed;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.ThrottledException;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.fault.PartitionThroughput;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * The table, its stream and the function behind it with a cloud's limits, on a virtual clock: the
 * real engine, the real stores and the real handlers. Requests arrive at a given rate, whether the
 * earlier ones are answered or not.
 */
public final class Cloud implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** How long the stream takes at least to show a write. */
  static final Duration STREAM_DELAY = Duration.ofMillis(200);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(25);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final int ATTEMPTS = 8;
  private static final long SECOND_IN_NANOS = 1_000_000_000;

  /** How long a shard is open at most. */
  private static final Duration SHARD_OPEN = Duration.ofHours(4);

  private final StreamedTable engine;
  private final Runnable close;
  private final VirtualTime time;
  private final RandomGenerator random;
  private final VirtualTime.Signal written;
  private final InheritableThreadLocal<CloudTable.InvocationEnd> deadline =
      new InheritableThreadLocal<>();
  private final Course course;
  private final ShardNumbers numbers = new ShardNumbers();
  private final CloudTable limits;
  private final CloudLane counts;
  private final CloudLane effects;
  private final List<String> deadLetters = new ArrayList<>();
  private final int shards;
  private Instant shardsSince;

  /**
   * The settings of a cloud.
   *
   * @param limits the throughput of partitions
   * @param shards the open shards of the stream
   * @param scale the limits of the function
   * @param sharesConcurrency whether both lanes have only the concurrency of effects
   */
  public record Settings(
      CloudTable.Limits limits,
      int shards,
      CloudLane.Settings counts,
      CloudLane.Settings effects,
      Scale scale,
      boolean sharesConcurrency) {
    /** Creates settings of lanes that each have a concurrency of their own. */
    public Settings(
        CloudTable.Limits limits,
        int shards,
        CloudLane.Settings counts,
        CloudLane.Settings effects,
        Scale scale) {
      this(limits, shards, counts, effects, scale, false);
    }
  }

  /** What a history decides and notes. A cloud without one is undisturbed. */
  interface Course extends CloudLane.Disturbances {
    /** Returns the table as the function reaches it. */
    default Wire function(Wire limits) {
      return limits;
    }

    /** Notes a record; records come in the order of their writes. */
    default void note(DynamodbStreamRecord record) {}

    /** Notes a record that the function has given up. */
    default void isDeadLetter(DynamodbStreamRecord record) {}

    /** Notes an event that the function has published. */
    default void hasCrossed(Subject.Crossing crossing) {}
  }

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

  /** Creates a cloud with a table of its own and nothing that disturbs it. */
  public Cloud(Settings settings, Subject subject) {
    this(StreamedTable.start(), settings, subject);
  }

  private Cloud(StreamedTable engine, Settings settings, Subject subject) {
    this(
        engine,
        engine::close,
        new VirtualTime(START),
        new Random(1),
        settings,
        subject,
        new Course() {});
  }

  /**
   * @param close releases what belongs to this cloud only
   */
  Cloud(
      StreamedTable engine,
      Runnable close,
      VirtualTime time,
      RandomGenerator random,
      Settings settings,
      Subject subject,
      Course course) {
    this.engine = engine;
    this.close = close;
    this.time = time;
    this.random = random;
    this.course = course;
    this.shards = settings.shards;
    this.shardsSince = time.clock().instant();
    this.written = time.new Signal();
    this.limits =
        new CloudTable(engine.client(), StreamedTable.NAME, time, settings.limits, random, written);
    var sinks =
        new Subject.Sinks(
            record -> {
              deadLetters.add(String.valueOf(record.getDynamodb().getKeys()));
              course.isDeadLetter(record);
            },
            course::hasCrossed,
            new MediaInMemory());
    var function =
        subject.function(
            over(course.function(limits.until(this::deadline))), time, settings.scale, sinks);
    var slots = time.new Slots(settings.effects.concurrency());
    this.counts =
        new CloudLane(
            settings.counts,
            subject::isCounted,
            function,
            time,
            settings.sharesConcurrency ? slots : time.new Slots(settings.counts.concurrency()),
            deadline,
            course);
    this.effects =
        new CloudLane(
            settings.effects, subject::hasEffects, function, time, slots, deadline, course);
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
            limits.forget();
            synchronized (written) {
              written.give();
            }
            return answer;
          }
        });
  }

  Table over(Wire wire) {
    return engine.over(wire, new Retry(ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE, random, time::sleep));
  }

  public VirtualTime time() {
    return time;
  }

  /** Returns the limits of the table. */
  public CloudTable limits() {
    return limits;
  }

  /** Returns what the partitions of the table have taken, given and refused. */
  public PartitionThroughput throughput() {
    return limits.throughput();
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

  /** Returns whether nothing waits or runs, and the stream has shown the last write. */
  boolean isIdle() {
    var shown = throughput().lastWrite().plus(STREAM_DELAY.multipliedBy(3));
    return time.passed().compareTo(shown) > 0
        && Stream.of(counts, effects).allMatch(CloudLane::isIdle);
  }

  private void followStream() {
    while (true) {
      var read = engine.read();
      if (time.clock().instant().isAfter(shardsSince.plus(SHARD_OPEN))) {
        rollShards();
      }
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

  private void offer(Tailed tailed) {
    course.note(tailed.record());
    var key = requireNonNull(tailed.record().getDynamodb().getKeys().get(BaseTable.PK)).getS();
    int place = Math.floorMod(key.hashCode(), shards);
    var numbered =
        numbers.withShardPrefix(new Tailed(shardId(shardsSince, place), tailed.record()));
    counts.offer(place, numbered);
    effects.offer(place, numbered);
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
    close.run();
  }
}
