package social.feed.ctl;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.streams.simulated.SimulatedCloud;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Update;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Post;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.CloudLane;
import social.feed.verify.LaneWait;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/**
 * {@code verify --fix} in a simulated cloud, next to lanes that are hours behind. The repair reads
 * and writes with the limits and the lag of a cloud, and waits in virtual time. Its fences lie in
 * other shards than the rows before them, because shards have ended meanwhile.
 */
class ITFixInACloud {
  private static final Duration BEHIND = Duration.ofHours(5);

  /** How long the command waits for the stream of a deployed table, unless it is asked for more. */
  private static final Duration SETTLE = Duration.ofMinutes(5);

  private static final Optional<CelebrityRule> RULE =
      Optional.of(new CelebrityRule(SimulatedCloud.SCALE.celebrityFrom()));
  private static final RepairLoop.Lanes WITHOUT_A_WAIT = (places, _) -> places;

  private final Cloud cloud =
      SimulatedCloud.of(
          CloudTable.Limits.scaledDown(1),
          3,
          SimulatedCloud.SCALE,
          SimulatedCloud.DEADLINE,
          new MultiplexerSubject());
  private final Clock clock = cloud.time().clock();
  private final SeedWorld seed = new SeedWorld(cloud.unlimited(), clock);
  private final Person author = seed.user("author");
  private final List<Person> others =
      IntStream.range(0, 5).mapToObj(number -> seed.user("other" + number)).toList();
  private final Post post = author.posts("First");

  /** What each of some users does while lanes are held. */
  enum Action {
    LIKES((test, other) -> other.likes(test.post)),
    FOLLOWS((test, other) -> other.follows(test.author)),
    TAGS((_, other) -> other.posts("On #monday"));

    private final BiConsumer<ITFixInACloud, Person> act;

    Action(BiConsumer<ITFixInACloud, Person> act) {
      this.act = act;
    }
  }

  /** The lanes that are held. */
  enum Held {
    COUNTS,
    EFFECTS,
    BOTH;

    private List<CloudLane> of(Cloud cloud) {
      return switch (this) {
        case COUNTS -> List.of(cloud.counts());
        case EFFECTS -> List.of(cloud.effects());
        case BOTH -> List.of(cloud.counts(), cloud.effects());
      };
    }
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  private static Stream<Arguments> behind() {
    return Stream.of(Action.values())
        .flatMap(action -> Stream.of(Held.values()).map(held -> Arguments.of(action, held)));
  }

  @ParameterizedTest
  @MethodSource("behind")
  void countsBehindLanesOfHours_areExactAfterwards(Action action, Held held) {
    fallBehind(action, held);

    var fixed = fix(waiting(SETTLE));
    var unsettled = fixed.unsettled();
    catchUp(held);

    System.out.printf(
        "%s behind %s: %d repaired, %d not settled%n", action, held, fixed.repaired(), unsettled);
    if (held != Held.EFFECTS) {
      assertThat(unsettled).as(fixed.render()).isPositive();
    }
    assertClean(verify());
  }

  /** Planted fault: a repair that waits for no fence counts what the lane counts afterwards. */
  @ParameterizedTest
  @EnumSource
  void countsBehindALaneOfHours_drift_whereTheWaitIsSkipped(Action action) {
    fallBehind(action, Held.COUNTS);

    fix(WITHOUT_A_WAIT);
    catchUp(Held.COUNTS);

    assertThat(verify().isClean()).isFalse();
  }

  /** The repair is allowed to wait for longer than the lane is behind. */
  @Test
  void driftBehindALaneOfHours_isRepairedOnceTheLaneHasPassed() {
    cloud
        .unlimited()
        .update(post.key(), new Update().set(Post.LIKES_COUNT, 9), Condition.present());
    fallBehind(Action.LIKES, Held.COUNTS);
    cloud.time().start(Duration.ofHours(2), cloud.counts()::resume);

    var fixed = fix(waiting(Duration.ofHours(6)));

    assertThat(fixed.unsettled()).as(fixed.render()).isZero();
    assertThat(fixed.repaired()).isEqualTo(1);
    assertThat(seed.posts.get(post.postId()).orElseThrow().likesCount()).isEqualTo(5);
    assertClean(fixed.after());
    assertClean(verify());
  }

  private void fallBehind(Action action, Held held) {
    assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
    held.of(cloud).forEach(CloudLane::hold);
    others.forEach(other -> action.act.accept(this, other));
    cloud.run(BEHIND);
  }

  private void catchUp(Held held) {
    held.of(cloud).forEach(CloudLane::resume);
    assertThat(cloud.drain(Duration.ofMinutes(10))).isTrue();
  }

  private LaneWait waiting(Duration patience) {
    return new LaneWait(cloud.table(), clock, patience, cloud.time()::sleep, _ -> {});
  }

  /** Repairs as on AWS: nothing says when the stream has caught up. */
  private RepairReport fix(RepairLoop.Lanes lanes) {
    var fixed = new AtomicReference<RepairReport>();
    var repair = new RepairLoop(cloud.table(), clock, RULE, TrendingTags.HALF_LIFE, lanes);
    cloud
        .time()
        .start(
            Duration.ZERO,
            () -> fixed.set(repair.run(() -> cloud.time().sleep(SETTLE), _ -> {}, _ -> {})));
    assertThat(cloud.time().runUntil(() -> fixed.get() != null, Duration.ofDays(2))).isTrue();
    return requireNonNull(fixed.get());
  }

  private Report verify() {
    return new Verification(cloud.unlimited(), clock, RULE, TrendingTags.HALF_LIFE)
        .run(() -> {}, _ -> {});
  }

  private static void assertClean(Report report) {
    assertThat(report.isClean()).as(String.valueOf(report.render())).isTrue();
  }
}
