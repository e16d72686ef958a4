package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.streams.simulated.SimulatedCloud;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Condition;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.store.Update;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Follow;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.Row;
import social.feed.table.row.User;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.LongRunning;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.fault.CloudTable;
import social.feed.testkit.simulation.Cloud;
import social.feed.testkit.simulation.Subject;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;
import social.feed.verify.Report;
import social.feed.verify.Verification;

/**
 * Verifies and repairs a table while an erasure waits for units, between its parts and its sweeps,
 * and after its end. The virtual time stands still during each run.
 */
@LongRunning
class ITVerifyDuringErasure {
  /** Units a second. A part that needs more than the first grant waits for 40 s. */
  private static final double PACE = 5;

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(6);
  private static final String GHOST = "ghost";

  private final Cloud cloud =
      SimulatedCloud.of(
          CloudTable.Limits.scaledDown(1),
          1,
          SimulatedCloud.SCALE,
          SimulatedCloud.DEADLINE,
          new MultiplexerSubject() {
            @Override
            protected ErasureSweeps.Settings sweeping() {
              return new ErasureSweeps.Settings(
                  Duration.ZERO,
                  Retention.ERASURE_REST,
                  Double.POSITIVE_INFINITY,
                  PACE,
                  Long.MAX_VALUE);
            }
          });
  private final Clock clock = cloud.time().clock();
  private final Table table = cloud.unlimited();
  private final SeedWorld seed = new SeedWorld(table, clock);
  private final Erasures erasures = new Erasures(table, seed.users);
  private final Person gone = seed.user("gone");
  private final Person friend = seed.user("friend");
  private final Person other = seed.user("other");

  @BeforeEach
  void relate() {
    for (var person : List.of(friend, other)) {
      gone.follows(person);
      person.follows(gone);
    }
    gone.marks(friend);
    friend.marks(gone);
    gone.mutes(other);
    other.mutes(gone);
    gone.blocks(seed.user("stranger"));
    var mine = gone.posts("Mine");
    var theirs = friend.posts("Theirs");
    friend.likes(mine);
    gone.likes(theirs);
    gone.comments(theirs, "Fine!");
    assertThat(cloud.drain(LONG)).isTrue();
    assertClean();
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  @Test
  void rowsOfAnErasureThatWaitsForUnits_areNoDrift_andAreLeftToIt() {
    beginAndRemovePosts();
    var rows = rows();
    assertThat(rows)
        .hasAtLeastOneElementOfType(Follow.class)
        .hasAtLeastOneElementOfType(Like.class)
        .hasAtLeastOneElementOfType(Mute.class);
    assertClean();

    assertThat(fix().repaired()).isZero();

    assertThat(rows()).isEqualTo(rows);
  }

  @Test
  void rowOfAnotherAccount_isFoundAndRemovedMeanwhile() {
    beginAndRemovePosts();
    var rows = rows();
    plantRowOf(GHOST);
    assertThat(verify().render()).contains("needs " + User.key(GHOST));

    var fixed = fix();

    assertThat(fixed.repaired()).as(fixed.render()).isEqualTo(1);
    assertThat(rows()).isEqualTo(rows);
  }

  /** What another account has written about it stays until a sweep. */
  @Test
  void rowsThatWaitForASweep_areNoDrift_andRowsAfterTheEndAre() {
    beginAndRemovePosts();
    runUntil(ErasureStep.RESTING);
    assertThat(cloud.drain(LONG)).isTrue();
    assertThat(rows()).hasAtLeastOneElementOfType(Mute.class);
    assertClean();

    sweepUntilErased();
    assertClean();
    plantRowOf(gone.id());
    assertThat(verify().render()).contains("needs " + User.key(gone.id()));
    // As TTL does after a month.
    table.deleteAll(List.of(Erasure.key(gone.id())));
    assertThat(verify().render()).contains("needs " + User.key(gone.id()));

    assertThat(fix().repaired()).isEqualTo(1);

    assertClean();
  }

  /** Once a person has corrected it, the erasure goes on. */
  @Test
  void rowsOfAnErasureThatCannotBeRead_areLeftToIt() {
    beginAndRemovePosts();
    table.update(
        Erasure.key(gone.id()), new Update().set("step", "unreadable"), Condition.present());
    var rows = rows();

    assertThat(verify().lines())
        .filteredOn(line -> line.drifts() > 0)
        .extracting(Report.Line::check)
        .containsExactly("readable rows");
    assertThat(fix().repaired()).isZero();

    assertThat(rows()).isEqualTo(rows);
  }

  private void beginAndRemovePosts() {
    erasures.begin(gone.id(), now());
    runUntil(ErasureStep.FOLLOWING);
    // The effects of the part.
    cloud.run(SECOND.multipliedBy(10));
    assertThat(step()).isEqualTo(ErasureStep.FOLLOWING);
  }

  private void runUntil(ErasureStep step) {
    for (int seconds = 0; seconds < 3_600 && step() != step; seconds++) {
      cloud.run(SECOND);
    }
    assertThat(step()).isEqualTo(step);
  }

  private void sweepUntilErased() {
    for (int sweep = 0; sweep < 3 && step() != ErasureStep.ERASED; sweep++) {
      cloud.run(Retention.ERASURE_REST.plusHours(1));
      new ErasureSweeps(table, Subject.SWEEPS).wake(now());
      assertThat(cloud.drain(LONG)).isTrue();
    }
    assertThat(step()).isEqualTo(ErasureStep.ERASED);
  }

  private ErasureStep step() {
    return erasures.of(gone.id()).orElseThrow().step();
  }

  private void plantRowOf(String account) {
    table.putAll(List.of(FeedActivity.at(account, now())));
  }

  private Instant now() {
    return Timestamps.now(clock);
  }

  /** The rows that can be read. */
  private Set<Row> rows() {
    return new TableScanner(table)
        .items()
        .flatMap(List::stream)
        .filter(TableScanner.Stored.class::isInstance)
        .map(item -> ((TableScanner.Stored) item).row())
        .collect(Collectors.toSet());
  }

  private Report verify() {
    return new Verification(table, clock, rule(), TrendingTags.HALF_LIFE).run(() -> {}, _ -> {});
  }

  private void assertClean() {
    var report = verify();
    assertThat(report.isClean()).as(report.render()).isTrue();
  }

  private RepairReport fix() {
    // No count differs here, so no repair waits for a lane.
    return new RepairLoop(table, clock, rule(), TrendingTags.HALF_LIFE, (places, _) -> places)
        .run(() -> {}, _ -> {}, _ -> {});
  }

  private static Optional<CelebrityRule> rule() {
    return Optional.of(new CelebrityRule(SimulatedCloud.SCALE.celebrityFrom()));
  }
}
