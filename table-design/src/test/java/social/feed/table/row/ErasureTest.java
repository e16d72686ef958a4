package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.groups.Tuple.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import social.feed.table.row.ErasureSweep.Step;

/** The steps of an erasure, and of the sweep that all erasures share. */
class ErasureTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00Z");
  private static final ErasureSweep FIRST =
      ErasureSweep.NONE.begun(new PendingErasure(0, "m", "mia", NOW).key().sort(), NOW);

  private final Erasure begun = Erasure.of("ann", NOW);

  @Test
  void done_fromStepToStep_endsAtTheSweep() {
    var steps = Stream.iterate(begun, Erasure::done).limit(8).toList();

    assertThat(steps)
        .extracting(Erasure::step)
        .containsExactly(
            ErasureStep.POSTS,
            ErasureStep.FOLLOWING,
            ErasureStep.FOLLOWERS,
            ErasureStep.LIKES,
            ErasureStep.COMMENTS,
            ErasureStep.WALK,
            ErasureStep.RESTING,
            ErasureStep.RESTING);
    assertThat(steps).extracting(Erasure::revision).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(steps).allMatch(step -> "ann".equals(step.userId()) && step.passes() == 0);
    assertThat(steps.stream().filter(step -> step.step().isUnderWay())).hasSize(6);
  }

  @Test
  void after_aPart_keepsTheStepUntilItIsDone() {
    var part = begun.done().after("FOLLOWEE#x", "FOLLOWER#ann");

    assertThat(part)
        .extracting(Erasure::step, Erasure::afterPartition, Erasure::afterSort, Erasure::revision)
        .containsExactly(ErasureStep.FOLLOWING, "FOLLOWEE#x", "FOLLOWER#ann", 2L);
    assertThat(part.done())
        .extracting(Erasure::afterPartition, Erasure::afterSort)
        .containsOnlyNulls();
  }

  @Test
  void granted_isAnotherVersion_andSpentIsNot() {
    var granted = begun.granted(200);
    var spent = granted.spent(30);

    assertThat(begun).returns(0L, Erasure::unitsGranted).returns(0L, Erasure::unitsLeft);
    assertThat(granted).returns(1L, Erasure::revision).returns(200L, Erasure::unitsLeft);
    assertThat(spent).returns(1L, Erasure::revision).returns(170L, Erasure::unitsLeft);
    assertThat(spent.granted(500).spent(600))
        .returns(700L, Erasure::unitsGranted)
        .returns(70L, Erasure::unitsLeft);
  }

  @Test
  void units_areKnownUntilTheErasureRests() {
    var steps = Stream.iterate(begun.granted(200).spent(30), Erasure::done).limit(7).toList();

    assertThat(steps.subList(0, 6)).extracting(Erasure::unitsLeft).containsOnly(170L);
    assertThat(steps.getLast().granted()).isNull();
    assertThat(steps.getLast().spent()).isNull();
  }

  @Test
  void again_ordersTheSamePart_withTheSameUnits() {
    var part = begun.granted(200).spent(30).after("p", "x").at(NOW.plusSeconds(9));

    assertThat(part.again())
        .returns(3L, Erasure::revision)
        .returns(170L, Erasure::unitsLeft)
        .returns("x", Erasure::afterSort);
    assertThat(begun.again().granted()).isNull();
  }

  @Test
  void lastOrder_isThatOfThePart_untilTheErasureRests() {
    var part = begun.granted(200).at(NOW.plusSeconds(9));
    var resting = Stream.iterate(part, Erasure::done).skip(6).findFirst().orElseThrow();

    assertThat(begun.lastOrder()).isEqualTo(NOW);
    assertThat(part.lastOrder()).isEqualTo(NOW.plusSeconds(9));
    assertThat(part.spent(30).granted(10).lastOrder()).isEqualTo(NOW.plusSeconds(9));
    assertThat(resting.orderedAt()).isNull();
    assertThat(resting.at(NOW).orderedAt()).isNull();
  }

  @Test
  void pace_thatStandsStill_paysForNothing() {
    var running = ErasurePace.NONE.started(NOW);
    var stopped = running.granted(NOW.plusSeconds(3)).stopped();

    assertThat(running).isEqualTo(new ErasurePace(NOW, true, 1));
    assertThat(running.again()).isEqualTo(new ErasurePace(NOW, true, 2));
    assertThat(stopped).isEqualTo(new ErasurePace(NOW.plusSeconds(3), false, 3));
    assertThat(stopped.started(NOW))
        .as("what was granted is paid for first")
        .isEqualTo(new ErasurePace(NOW.plusSeconds(3), true, 4));
    assertThat(stopped.started(NOW.plusSeconds(9)).dueAt()).isEqualTo(NOW.plusSeconds(9));
  }

  @Test
  void waiting_isInTheOrderOfTheUnitsGranted() {
    var small = WaitingErasure.of(begun, 200);
    var large = WaitingErasure.of(Erasure.of("aaa", NOW).granted(900_000), 5_000);

    assertThat(large)
        .returns(905_000L, WaitingErasure::total)
        .returns(1L, WaitingErasure::revision);
    assertThat(small.key().sort()).isLessThan(large.key().sort());
  }

  @Test
  void followers_areKnownUntilTheErasureRests() {
    var account = User.registered("ann", "ann", "Ann", null, NOW);
    assertThat(Erasure.of(account, NOW)).isEqualTo(begun).returns(0L, Erasure::audience);
    var followed =
        new Erasure(
            begun.hash(),
            "ann",
            NOW,
            ErasureStep.WALK,
            null,
            null,
            0,
            false,
            5,
            null,
            null,
            7L,
            null,
            null,
            null);

    assertThat(followed.after(null, "x").audience()).isEqualTo(7);
    assertThat(followed.done().followers()).isNull();
  }

  @Test
  void withReferenceFound_isForgottenBeforeTheNextSweep() {
    var found = begun.after(null, "x").withReferenceFound();

    assertThat(found.traced()).isTrue();
    assertThat(found.afterSort()).isEqualTo("x");
    assertThat(found.after("p", "y").traced()).as("by the next part").isTrue();
    assertThat(found.swept(false, NOW).traced()).isFalse();
  }

  @Test
  void swept_withoutProof_waitsForTheNextSweep() {
    var swept = begun.swept(false, NOW);

    assertThat(swept)
        .extracting(Erasure::step, Erasure::passes, Erasure::userId, Erasure::revision)
        .containsExactly(ErasureStep.RESTING, 1L, "ann", 1L);
  }

  @Test
  void swept_withProof_dropsTheId_andExpires() {
    var erased = begun.swept(false, NOW).swept(true, NOW);

    assertThat(erased)
        .isEqualTo(
            new Erasure(
                Erasure.hash("ann"),
                null,
                NOW,
                ErasureStep.ERASED,
                null,
                null,
                2,
                false,
                2,
                NOW,
                NOW.plus(Duration.ofDays(30)).getEpochSecond(),
                null,
                null,
                null,
                null));
    assertThat(erased.step().isUnderWay()).isFalse();
    assertThatIllegalStateException().isThrownBy(erased::done);
  }

  @Test
  void sweep_scansThenConcludesThenEnds() {
    var end = new Key("USER#x", "META");
    var part = FIRST.after(end, NOW.plusSeconds(1));
    var ended = part.scanned().ended(NOW.plusSeconds(2));

    assertThat(List.of(FIRST, part, part.again(), part.scanned(), ended, ended.begun("z", NOW)))
        .extracting(ErasureSweep::number, ErasureSweep::step, ErasureSweep::revision)
        .containsExactly(
            tuple(1L, Step.SCANNING, 1L),
            tuple(1L, Step.SCANNING, 2L),
            tuple(1L, Step.SCANNING, 3L),
            tuple(1L, Step.CONCLUDING, 3L),
            tuple(1L, Step.ENDED, 4L),
            tuple(2L, Step.SCANNING, 5L));
    assertThat(part.again())
        .returns(end, ErasureSweep::position)
        .returns(NOW.plusSeconds(1), ErasureSweep::dueAt);
    assertThat(FIRST.position()).isNull();
    assertThat(part.scanned().position()).isNull();
    assertThat(ended.dueAt()).isEqualTo(NOW.plusSeconds(2));
    assertThat(FIRST.isUnderWay()).isTrue();
    assertThat(ended.isUnderWay()).isFalse();
    assertThat(ErasureSweep.NONE.isUnderWay()).isFalse();
  }

  /** One that came later may have rows in the part that was scanned before. */
  @Test
  void sweep_includesTheErasuresThatWaitedWhenItBegan() {
    assertThat(FIRST.includes(new PendingErasure(0, "a", "ann", NOW).key())).isTrue();
    assertThat(FIRST.includes(new PendingErasure(0, "m", "mia", NOW).key())).isTrue();
    assertThat(FIRST.includes(new PendingErasure(0, "n", "nat", NOW).key())).isFalse();
    assertThat(FIRST.includes(new PendingErasure(1, "a", "ann", NOW).key())).isFalse();
  }

  @Test
  void timer_ofTheSweep_isNoneOfAnErasure() {
    var timer = ErasureTimer.ofSweep(3, NOW);

    assertThat(timer.isOfSweep()).isTrue();
    assertThat(timer)
        .returns(3L, ErasureTimer::pass)
        .returns(NOW.getEpochSecond(), ErasureTimer::expiresAt);
    assertThat(new ErasureTimer(Erasure.hash("ann"), 1, 0).isOfSweep()).isFalse();
  }

  /** It is kept after the id is gone. */
  @Test
  void key_ofAnErasure_isFoundByTheId_andDoesNotContainIt() {
    assertThat(Erasure.key("ann")).isEqualTo(begun.key()).isNotEqualTo(Erasure.key("bob"));
    assertThat(begun.key().toString()).doesNotContain("ann");
  }

  /** A malformed key belongs to no erasure, and must not stop those who read it. */
  @Test
  void hash_ofAMalformedKey_isAbsent() {
    var pending = new PendingErasure(1, Erasure.hash("ann"), "ann", NOW);

    assertThat(PendingErasure.hashAt(pending.key())).contains(pending.hash());
    assertThat(Stream.of("PENDING#1#", "PENDING#1", "PENDING#1#" + "x".repeat(300)))
        .allSatisfy(
            sort ->
                assertThat(PendingErasure.hashAt(new Key(Keys.ERASURE_REGISTRY, sort))).isEmpty());
  }
}
