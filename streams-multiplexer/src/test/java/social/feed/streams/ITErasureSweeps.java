package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Mute;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.PostCleanUp;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * Pending erasures share a sweep of the table: when it begins, which erasures it includes, how it
 * is paced, and that an order which comes twice or is lost does no harm.
 */
class ITErasureSweeps extends ErasureScenario {
  /** The erasures that one sweep ends; {@code -Derasures.pending=1000} for more of them. */
  private static final int PENDING = Integer.getInteger("erasures.pending", 200);

  /** One scan serves all, whatever their number. */
  @Test
  void pendingErasures_shareOneSweep() {
    var people = List.of(ann, bob, cid);
    people.forEach(person -> erasures.begin(person.id(), now()));
    harness.drain();
    finish(ann);

    people.forEach(this::assertGone);
    assertThat(current().number()).isEqualTo(erasure(ann).passes());
    assertThat(pending()).isEmpty();
  }

  /** The scan costs what the table has, and is paced. Each erasure adds its place and its end. */
  @Test
  void manyPendingErasures_costOnePacedSweep() {
    var since = now();
    var waiting =
        IntStream.range(0, PENDING).mapToObj(i -> resting("gone" + i, since, 0, 6)).toList();
    harness.pause();
    var table = harness.table.table();
    table.putAll(waiting);
    table.putAll(
        waiting.stream()
            .map(
                erasure ->
                    new PendingErasure(
                        0, erasure.hash(), Objects.requireNonNull(erasure.userId()), since))
            .toList());
    table.putAll(
        IntStream.range(0, 3_000)
            .mapToObj(i -> Mute.of("reader" + i % 10, "other" + i, since, null))
            .toList());
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    double unitsPerSecond = 100;
    var handlers =
        new EffectHandlers(
            table,
            harness.table.clock(),
            EffectSettings.of(
                    StreamHarness.NEWEST,
                    BatchSizes.STANDARD,
                    new ErasureSweeps.Settings(
                        ErasureSweeps.MAX_PERIOD, Retention.ERASURE_REST, unitsPerSecond))
                .withEvents(harness.events::add));
    double scanned = 0;
    int parts = 0;
    double concluded = 0;
    var waited = Duration.ZERO;
    double whole;
    wake();
    int rows = harness.rows().size();
    try (var _ = harness.table.bill()) {
      whole =
          TestTable.costOf(
                  () -> new TableScanner(table).items().flatMap(List::stream).forEach(_ -> {}))
              .read();
      while (current().step() == ErasureSweep.Step.SCANNING) {
        scanned += TestTable.costOf(() -> order(handlers)).read();
        parts++;
        var due = current().dueAt();
        if (due != null) {
          var pause = Duration.between(now(), due);
          waited = waited.plus(pause);
          harness.table.clock().advance(pause);
        }
      }
      while (current().isUnderWay()) {
        concluded += TestTable.costOf(() -> order(handlers)).read();
      }
    }

    System.out.printf(
        "sweep for %d erasures: %.1f read units in %d parts, a scan of the table costs %.1f;"
            + " %.1f for their ends%n",
        PENDING, scanned, parts, whole, concluded);
    assertThat(current().number()).isEqualTo(1);
    assertThat(parts).isEqualTo(Math.ceilDiv(rows, 1_000));
    assertThat(scanned)
        .as("and the list of the erasures")
        .isLessThan(whole + PENDING / 16.0 + 4 * parts);
    assertThat(waited.toMillis()).isGreaterThan((long) (whole / unitsPerSecond * 500));
    assertThat(concluded).isLessThan(4.0 * PENDING);
    assertThat(pending()).isEmpty();
    assertThat(waiting)
        .extracting(erasure -> erasures.hashed(erasure.hash()).orElseThrow().step())
        .containsOnly(ErasureStep.ERASED);
  }

  private static Erasure resting(String userId, Instant since, int passes, int revision) {
    var begun = Erasure.of(userId, since);
    return new Erasure(
        begun.hash(),
        userId,
        since,
        ErasureStep.RESTING,
        null,
        null,
        passes,
        false,
        revision,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void erasureThatBeginsDuringASweep_waitsForTheNext() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.pause();
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    var small = small(ErasureSweeps.Settings.unpaced());
    order(small);
    assertThat(current().position()).isNotNull();
    erasures.begin(bob.id(), now());
    eraseUntilItRests(small, bob);
    while (current().isUnderWay()) {
      order(small);
    }

    assertThat(erasure(ann).passes()).isEqualTo(1);
    assertThat(erasure(bob).passes()).isZero();
    harness.resume();
    harness.drain();
    finish(bob);
    assertGone(ann);
    assertGone(bob);
  }

  /** The sweep may have passed rows of the account before the erasure waited. */
  @Test
  void sweepThatBeginsWhileAnErasureStartsToWait_doesNotIncludeIt() {
    erasures.begin(bob.id(), now());
    harness.drain();
    harness.pause();
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    erasures.begin(ann.id(), now());
    harness.between.before(TransactWriteItemsRequest.class::isInstance, this::wake);
    eraseUntilItRests(harness.handlers, ann);

    assertThat(harness.between.happened()).isTrue();
    assertThat(current().number()).isEqualTo(1);
    assertThat(pending(ann).sweep()).isEqualTo(1);
    assertThat(current().includes(pending(ann).key())).isFalse();
    assertThat(current().includes(pending(bob).key())).isTrue();
    harness.resume();
    harness.drain();
    assertThat(erasure(ann).passes()).isZero();
    finish(ann);
    assertGone(ann);
  }

  /** As with more erasures than a sweep takes. */
  @Test
  void erasuresBehindTheLastOfASweep_waitForTheNext() {
    erasures.begin(ann.id(), now());
    erasures.begin(bob.id(), now());
    harness.drain();
    var annsKey = pending(ann).key().sort();
    var bobsKey = pending(bob).key().sort();
    var first = annsKey.compareTo(bobsKey) < 0 ? ann : bob;
    var second = first == ann ? bob : ann;
    var took = ErasureSweep.NONE.begun(pending(first).key().sort(), now());
    harness.table.table().putAll(List.of(took));
    harness.drain();

    assertThat(current().step()).isEqualTo(ErasureSweep.Step.ENDED);
    assertThat(erasure(first).passes()).isEqualTo(1);
    assertThat(erasure(second).passes()).isZero();
    finish(first);
    finish(second);
    assertGone(ann);
    assertGone(bob);
  }

  private PendingErasure pending(Person person) {
    return pending().stream()
        .filter(waiting -> waiting.userId().equals(person.id()))
        .findAny()
        .orElseThrow();
  }

  /** Requests and stream records that name the account may still be under way. */
  @Test
  void sweepSoonAfterTheRequest_provesNothing() {
    erasures.begin(ann.id(), now());
    harness.drain();
    wake();
    harness.drain();
    assertThat(current().step()).isEqualTo(ErasureSweep.Step.ENDED);
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isEqualTo(1);

    finish(ann);
    assertGone(ann);
  }

  @Test
  void sweepBeforeItIsDue_doesNotBegin_andTheTimerIsSetAgain() {
    erasures.begin(ann.id(), now());
    harness.drain();
    sweep();
    var ended = current();
    var timer = ErasureTimer.ofSweep(0, now());
    harness.table.table().delete(timer.key());
    erasures.begin(bob.id(), now());
    harness.drain();
    harness.table.table().delete(timer.key());
    wake();
    harness.drain();

    assertThat(current()).isEqualTo(ended);
    assertThat(timers())
        .containsExactly(
            ErasureTimer.ofSweep(ended.number(), ended.startedAt().plus(ErasureSweeps.MAX_PERIOD)));
  }

  @Test
  void sweepWithoutPendingErasures_doesNotBegin_andSetsNoTimer() {
    wake();
    harness.drain();

    assertThat(current()).isEqualTo(ErasureSweep.NONE);
    assertThat(timers()).isEmpty();
  }

  @Test
  void orderOfASweep_thatComesTwice_orWasLost() {
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.pause();
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    var begun = current();
    var small = small(ErasureSweeps.Settings.unpaced());
    order(small);
    var second = current();
    small.apply(List.of(new SweepErasures(begun.revision())));
    assertThat(current()).as("the order came twice").isEqualTo(second);
    wake();
    assertThat(current()).as("the timer orders the part again").isEqualTo(second.again());
    small.apply(List.of(new SweepErasures(second.revision())));
    assertThat(current()).isEqualTo(second.again());
    order(small);
    assertThat(current().position()).isNotEqualTo(second.position());

    harness.resume();
    harness.drain();
    finish(ann);
    assertGone(ann);
  }

  @Test
  void pacedSweep_continuesWhenItsUnitsAreDue() {
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.pause();
    var paced = small(new ErasureSweeps.Settings(Duration.ZERO, Retention.ERASURE_REST, 0.5));
    wake();
    order(paced);
    var first = current();
    assertThat(first.dueAt()).isAfter(now()).isBeforeOrEqualTo(now().plusSeconds(2));
    order(paced);
    assertThat(current()).isEqualTo(first.again());
    harness.table.clock().advance(Duration.ofSeconds(2));
    order(paced);
    assertThat(current().position()).isNotEqualTo(first.position());
    assertThat(current().dueAt()).isAfter(now());
    harness.resume();
    harness.drain();
  }

  /** An earlier version gave each erasure a timer, and some of those are still to expire. */
  @Test
  void erasureWithATimerOfItsOwn_waitsForTheSweep() {
    var resting = resting("old", now(), 1, 7);
    harness.table.table().putAll(List.of(resting));
    harness.handlers.apply(
        List.of(
            new WakeErasure(new ErasureTimer(resting.hash(), 2, 0)),
            new WakeErasure(new ErasureTimer(Erasure.hash("no-account"), 1, 0))));
    assertThat(pending()).isEmpty();
    harness.handlers.apply(List.of(new WakeErasure(new ErasureTimer(resting.hash(), 1, 0))));
    harness.drain();
    sweep();

    assertThat(erasures.hashed(resting.hash()).orElseThrow().step()).isEqualTo(ErasureStep.ERASED);
  }

  /** A part that is cut off between the two must not pass for one that found nothing. */
  @Test
  void sweep_notesAFindBeforeItRemovesIt() {
    erasures.begin(ann.id(), now());
    harness.drain();
    var like = new Like(bob.posts("x").postId(), ann.id(), bob.id(), now());
    harness.world.likes.add(like);
    harness.drain();
    harness.pause();
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();

    var isNoted = new AtomicBoolean();
    harness.between.before(
        BatchWriteItemRequest.class::isInstance,
        () -> isNoted.set(erasure(ann).traced() && harness.rows().contains(like)));
    order(harness.handlers);
    assertThat(isNoted).isTrue();
    assertThat(harness.rows()).doesNotContain(like);

    harness.resume();
    harness.drain();
    assertThat(erasure(ann).passes()).isEqualTo(1);
    finish(ann);
    assertGone(ann);
  }

  /** As where the record of the order was lost: no part replaced the position. */
  @Test
  void orderToRemoveAPost_atARowOfTheAccount_isFound_andGoesOnWithoutTheName() {
    var order = orderThatNamesAnn();
    sweepWhilePaused();

    assertThat(erasure(ann).step()).as("something was found").isEqualTo(ErasureStep.RESTING);
    assertThat(harness.rows())
        .filteredOn(PostCleanUp.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            PostCleanUp.class,
            again -> assertThat(again).isEqualTo(order.withoutAccount(again.orderedAt())));
    assertThat(naming(ann)).isEmpty();
    harness.resume();
    harness.drain();
    assertThat(harness.rows())
        .as("the part was ordered again")
        .noneMatch(PostCleanUp.class::isInstance);
    finish(ann);
    assertGone(ann);
  }

  /** The planted fault: the order keeps the name. */
  @Test
  void orderThatKeepsTheName_holdsUpTheErasure() {
    var order = orderThatNamesAnn();
    ignored.ignore(List.of(order.key()));
    sweepWhilePaused();
    sweepWhilePaused();

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isEqualTo(2);
    assertThat(naming(ann)).containsExactly(order);
    ignored.repair();
    harness.resume();
    harness.drain();
    finish(ann);
    assertGone(ann);
  }

  /** Begins the erasure, and pauses the stream. */
  private PostCleanUp orderThatNamesAnn() {
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.pause();
    var position = new Key(Keys.fanout(bobs.postId(), 0), Keys.feed(ann.id()));
    var order = PostCleanUp.of(bobs.postId(), 1, PostCleanUp.Cause.HIDDEN, position, now());
    harness.table.table().putAll(List.of(order));
    assertThat(naming(ann)).containsExactly(order);
    return order;
  }
}
