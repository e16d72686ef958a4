package social.feed.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.table.kernel.store.Condition.sameVersion;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.table.cost.CostFormulas;
import social.feed.table.counter.Counters;
import social.feed.table.erasure.AccountReferences;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.home.HomeFeeds;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RecordSchema;
import social.feed.table.kernel.store.PartitionQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.post.Posts;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.Follow;
import social.feed.table.row.Keys;
import social.feed.table.row.Post;
import social.feed.table.row.WaitingErasure;
import social.feed.table.user.CelebrityRule;
import social.feed.table.user.Users;
import social.feed.testkit.LongRunning;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/**
 * Erasures with the latency and the limits of a cloud cause together what the pace allows, and each
 * ends with its proof. Planted bugs break the bounds.
 */
@LongRunning
class ITCloudErasures extends CloudScenario {
  private static final Duration LONG = Duration.ofHours(6);

  /** The units a second of all erasures. */
  private static final double PACE = 1_000;

  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** A post of this author is removed in two parts. */
  private static final int READERS_OF_THE_AUTHOR = 600;

  private static final int POSTS_OF_THE_AUTHOR = 10;

  private static final int AUTHORS = 8;
  private static final int READERS_OF_EACH = 100;

  /** More than each gets until a small one is done, and enough for it to be late behind them. */
  private static final int POSTS_OF_EACH = 6;

  /** What the pace allows in the window, with what late grants make up for. */
  private static final double PAID =
      PACE * WINDOW.plus(ErasureQueue.MADE_UP).toSeconds() + ErasureQueue.LEAST;

  /** The last part may have begun at the end. Its last post may be above its budget. */
  private static final double BOUND_OF_ONE =
      PAID + AccountReferences.UNITS + CostFormulas.removedPost(READERS_OF_THE_AUTHOR, 0, 0);

  /** Each part of these erasures has all posts of its account. */
  private static final double BOUND_OF_ALL =
      PAID + POSTS_OF_EACH * CostFormulas.removedPost(READERS_OF_EACH, 0, 0);

  /** Each of these posts is in many feeds. The units are those of the parts and of all effects. */
  @Test
  void erasure_ofAnAuthorOfManyPosts_causesWhatThePaceAllows() {
    assertThat(unitsOfOneErasure(paced(PACE), true)).isBetween(BOUND_OF_ONE / 5, BOUND_OF_ONE);
  }

  /** The planted bug: each part follows at once. */
  @Test
  void erasure_withoutAPace_isFoundOut() {
    assertThat(unitsOfOneErasure(paced(Double.POSITIVE_INFINITY), false))
        .isGreaterThan(1.5 * BOUND_OF_ONE);
  }

  @Test
  void erasuresAtOnce_causeTogetherWhatThePaceAllows() {
    assertThat(unitsOfErasuresAtOnce(paced(PACE), true)).isBetween(BOUND_OF_ALL / 5, BOUND_OF_ALL);
  }

  /** The planted bug: each erasure has the pace for itself. */
  @Test
  void erasuresAtOnce_withAPaceForEach_areFoundOut() {
    assertThat(unitsOfErasuresAtOnce(pacedEach(), false)).isGreaterThan(1.5 * BOUND_OF_ALL);
  }

  /** It waits for what others get until they have had as much, and for the part under way. */
  @Test
  void smallErasure_amongLargeOnes_isDoneFirst() {
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, paced(PACE))) {
      var large = IntStream.range(0, AUTHORS).mapToObj(i -> "large" + i).toList();
      large.forEach(author -> authorWith(cloud, author, READERS_OF_EACH, POSTS_OF_EACH));
      authorWith(cloud, "small", 0, 3);
      assertThat(cloud.drain(LONG)).isTrue();
      var erasures = erasures(cloud);
      large.forEach(author -> erasures.begin(author, now(cloud)));
      erasures.begin("small", now(cloud));
      var begun = now(cloud);
      while (isUnderWay(erasures, "small")) {
        cloud.run(Duration.ofMillis(250));
      }
      var took = Duration.between(begun, now(cloud));
      long rest = large.stream().filter(author -> isUnderWay(erasures, author)).count();
      cloud.run(Duration.ofMinutes(10));
      System.out.printf("small erasure among %d large ones: %s%n", AUTHORS, took);
      assertThat(rest).isEqualTo(AUTHORS);
      double bound =
          ((AUTHORS + 1) * 2 * ErasureQueue.LEAST + CostFormulas.removedPost(READERS_OF_EACH, 0, 0))
              / PACE;
      // Its parts come through the stream one after the other.
      assertThat(took).isLessThan(Duration.ofMillis(Math.round(bound * 1_000)).plusSeconds(5));
      assertThat(large).noneMatch(author -> isUnderWay(erasures, author));
    }
  }

  /** One row waits for the pace, and not each erasure. */
  @Test
  void erasuresThatWait_costNothingMore() {
    double few = unitsWhileErasuresWait(2);
    double many = unitsWhileErasuresWait(40);
    System.out.printf("a minute of waiting: %.0f units of 2 erasures, %.0f of 40%n", few, many);
    assertThat(many).isLessThanOrEqualTo(1.1 * few);
    assertThat(many / 60).as("units a second").isLessThan(20);
  }

  private double unitsWhileErasuresWait(int number) {
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, paced(0.001))) {
      var gone = IntStream.range(0, number).mapToObj(i -> "gone" + i).toList();
      users(cloud, gone.toArray(String[]::new));
      assertThat(cloud.drain(LONG)).isTrue();
      var erasures = erasures(cloud);
      gone.forEach(id -> erasures.begin(id, now(cloud)));
      cloud.run(Duration.ofMinutes(1));
      double before = units(cloud);
      cloud.run(Duration.ofMinutes(1));
      assertThat(gone.stream().filter(id -> isUnderWay(erasures, id)))
          .as("the first one gets its units at once")
          .hasSize(number - 1);
      return units(cloud) - before;
    }
  }

  private double unitsOfOneErasure(MultiplexerSubject subject, boolean isProven) {
    return unitsOfErasures(
        subject, isProven, List.of("gone"), READERS_OF_THE_AUTHOR, POSTS_OF_THE_AUTHOR);
  }

  private double unitsOfErasuresAtOnce(MultiplexerSubject subject, boolean isProven) {
    var authors = IntStream.range(0, AUTHORS).mapToObj(i -> "gone" + i).toList();
    return unitsOfErasures(subject, isProven, authors, READERS_OF_EACH, POSTS_OF_EACH);
  }

  /**
   * Returns the units that erasures cause in their first seconds.
   *
   * @param isProven whether to let each go on until it ends with its proof
   */
  private double unitsOfErasures(
      MultiplexerSubject subject, boolean isProven, List<String> authors, int readers, int posts) {
    try (var cloud = cloud(limits(1), 1, SCALE, DEADLINE, subject)) {
      var written =
          authors.stream()
              .map(each -> authorWith(cloud, each, readers, posts))
              .flatMap(List::stream)
              .toList();
      assertThat(cloud.drain(LONG)).isTrue();
      var feeds = new HomeFeeds(cloud.unlimited());
      assertThat(written)
          .allSatisfy(
              post ->
                  assertThat(feeds.holders(post.postId(), post.feedShards())).hasSize(1 + readers));
      var erasures = erasures(cloud);
      authors.forEach(author -> erasures.begin(author, now(cloud)));
      double before = units(cloud);
      cloud.run(WINDOW);
      double units = units(cloud) - before;
      System.out.printf(
          "erasure of %d authors of %d posts with %d readers each: %.0f units in %s%n",
          authors.size(), posts, readers, units, WINDOW);
      if (isProven) {
        assertEndsWithProof(cloud, erasures, authors, written);
      }
      return units;
    }
  }

  private static void assertEndsWithProof(
      Cloud cloud, Erasures erasures, List<String> authors, List<Post> written) {
    for (int i = 0; i < 60 && authors.stream().anyMatch(it -> isUnderWay(erasures, it)); i++) {
      cloud.run(WINDOW);
    }
    assertThat(cloud.drain(LONG)).isTrue();
    assertThat(authors).noneMatch(author -> isUnderWay(erasures, author));
    var feeds = new HomeFeeds(cloud.unlimited());
    assertThat(written)
        .allSatisfy(post -> assertThat(feeds.holders(post.postId(), post.feedShards())).isEmpty());
    for (int sweep = 0; sweep < 2; sweep++) {
      cloud.run(Retention.ERASURE_REST.plusHours(1));
      new ErasureSweeps(cloud.table(), Subject.SWEEPS).wake(now(cloud));
      assertThat(cloud.drain(LONG)).isTrue();
    }
    assertThat(authors)
        .extracting(author -> erasures.of(author).orElseThrow().step())
        .containsOnly(ErasureStep.ERASED);
    assertThat(
            new PartitionQueries(cloud.unlimited())
                .keys(Keys.ERASURE_REGISTRY, Keys.WAITING_ERASURES))
        .allMatch(List::isEmpty);
  }

  private List<Post> authorWith(Cloud cloud, String author, int readers, int posts) {
    users(cloud, author);
    cloud
        .unlimited()
        .putAll(
            IntStream.range(0, readers)
                .mapToObj(i -> Follow.imported("fan" + i, author, now(cloud)))
                .toList());
    assertThat(cloud.drain(LONG)).isTrue();
    var store = new Posts(cloud.unlimited());
    return IntStream.range(0, posts)
        .mapToObj(_ -> create(cloud, store, author, "for many"))
        .toList();
  }

  private static Erasures erasures(Cloud cloud) {
    return new Erasures(cloud.unlimited(), new Users(cloud.unlimited()));
  }

  private static boolean isUnderWay(Erasures erasures, String userId) {
    return erasures.of(userId).orElseThrow().step().isUnderWay();
  }

  private static double units(Cloud cloud) {
    return cloud.throughput().readUnits() + cloud.throughput().writeUnits();
  }

  /** The multiplexer as it is deployed, with a pace of all erasures. */
  static MultiplexerSubject paced(double perSecond) {
    return paced(perSecond, BatchSizes.STANDARD.removedAtOnce());
  }

  /** The same with another number of rows that are removed concurrently. */
  static MultiplexerSubject paced(double perSecond, int removedAtOnce) {
    var settings =
        new ErasureSweeps.Settings(
            Duration.ZERO,
            Retention.ERASURE_REST,
            Double.POSITIVE_INFINITY,
            perSecond,
            Long.MAX_VALUE);
    return new MultiplexerSubject() {
      @Override
      protected ErasureSweeps.Settings sweeping() {
        return settings;
      }

      @Override
      protected int removedAtOnce() {
        return removedAtOnce;
      }
    };
  }

  private static MultiplexerSubject pacedEach() {
    return new MultiplexerSubject() {
      @Override
      public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
        var counters =
            new Counters(
                table,
                new CelebrityRule(scale.celebrityFrom()),
                BatchSizes.STANDARD.countersAtOnce());
        var each = new PaceForEach(table, time.clock());
        return function(
            table,
            time,
            scale,
            sinks,
            counters::applyEach,
            right -> effects -> apply(effects, each, right));
      }
    };
  }

  private static void apply(List<Effect> effects, PaceForEach each, Consumer<List<Effect>> right) {
    var others = new ArrayList<Effect>();
    for (var effect : effects) {
      if (effect instanceof GrantErasures(long revision)) {
        each.grant(revision);
      } else {
        others.add(effect);
      }
    }
    right.accept(others);
  }

  /** Grants units to each erasure when the pace has paid for its own grants. */
  private static final class PaceForEach {
    private static final RecordSchema<WaitingErasure> WAITING =
        RecordSchema.of(WaitingErasure.class);

    private final Map<String, Instant> due = new HashMap<>();
    private final Table table;
    private final Clock clock;
    private final Erasures erasures;

    PaceForEach(Table table, Clock clock) {
      this.table = table;
      this.clock = clock;
      this.erasures = new Erasures(table, new Users(table));
    }

    void grant(long revision) {
      var now = clock.instant();
      var pace = new ErasureQueue(table).current();
      if (pace.revision() != revision) {
        return;
      }
      var waiting =
          new PartitionQueries(table)
              .items(Keys.ERASURE_REGISTRY, Keys.WAITING_ERASURES)
              .flatMap(List::stream)
              .map(WAITING::mapToItem)
              .toList();
      for (var row : waiting) {
        var from = requireNonNull(due.getOrDefault(row.hash(), now));
        if (!from.isAfter(now)) {
          due.put(row.hash(), now.plusMillis(Math.round(row.units() / PACE * 1_000)));
          var read = erasures.hashed(row.hash()).orElseThrow();
          erasures.advance(read, read.granted(row.units()), now);
          table.delete(row.key());
        }
      }
      if (!waiting.isEmpty() || pace.isRunning()) {
        table.put(
            waiting.isEmpty() ? pace.stopped() : pace.started(now),
            sameVersion(ErasurePace.REVISION, revision));
      }
    }
  }
}
