package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.streams.plan.Lane;
import social.feed.table.erasure.Eraser;
import social.feed.table.erasure.ErasureRequestOutcome;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.home.FeedActivities;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.kernel.store.TableScanner;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.media.MediaFiles;
import social.feed.table.media.MediaQuota;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.ChunkOutcome;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.ErasureSweep;
import social.feed.table.row.ErasureTimer;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.Fence;
import social.feed.table.row.Follow;
import social.feed.table.row.FollowOpening;
import social.feed.table.row.HandleClaim;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Key;
import social.feed.table.row.Keys;
import social.feed.table.row.Like;
import social.feed.table.row.Media;
import social.feed.table.row.Mention;
import social.feed.table.row.Mute;
import social.feed.table.row.Notification;
import social.feed.table.row.NotificationType;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.RowKind;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.TagUses;
import social.feed.table.row.User;
import social.feed.table.user.Registration;
import social.feed.testkit.SeedWorld.Person;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** An erased account leaves nothing behind, and other accounts keep their data. */
class ITErasureEffects {
  private static final int MAX_SWEEPS = 5;
  private static final int SMALL = 4;

  /** The erasures that one sweep ends; {@code -Derasures.pending=1000} for more of them. */
  private static final int PENDING = Integer.getInteger("erasures.pending", 200);

  private final IgnoredWrites ignored = new IgnoredWrites();
  private StreamHarness harness;
  private Erasures erasures;
  private Person ann;
  private Person bob;
  private Person cid;
  private Post bobs;

  @BeforeEach
  void start() {
    harness = StreamHarness.startOver(ignored);
    erasures = new Erasures(harness.table.table(), harness.world.users);
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cid = harness.world.user("cid");
    bobs = bob.posts("to @" + ann.account().handle() + " and @" + cid.account().handle());
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Instant now() {
    return Timestamps.now(harness.table.clock());
  }

  /** Writes rows of all kinds that can name an account, naming ann. */
  private void live() {
    new MediaFiles(harness.table.table())
        .reserve(
            new Media("m" + ann.id(), ann.id(), "image/png", 9, "f00d", null, now(), 3, 2, null),
            new MediaQuota(1, 9));
    for (var other : List.of(bob, cid)) {
      other.follows(ann);
      other.marks(ann);
      ann.follows(other);
    }
    ann.marks(bob);
    harness.drain();
    bob.posts("of the #sea");
    var anns = ann.posts("of the #sea, to @" + bob.account().handle());
    cid.likes(anns);
    cid.comments(anns, "well");
    for (var liked : List.of(anns, bobs)) {
      ann.likes(liked);
      ann.comments(liked, "indeed");
    }
    bob.likes(bobs);
    bob.mutes(ann);
    ann.mutes(cid);
    var dot = harness.world.user("dot");
    var eve = harness.world.user("eve");
    ann.blocks(dot);
    eve.blocks(ann);
    var fay = harness.world.user("fay");
    ann.follows(fay);
    fay.follows(ann);
    harness.drain();
    ann.unfollowsKeepingHistory(fay);
    fay.unfollowsKeepingHistory(ann);
    new FeedActivities(harness.table.table()).read(ann.id(), now(), () -> Optional.of(now()));
    harness.table.table().putAll(leftOvers());
    harness.drain();
  }

  /** Writes rows that only appear with very many accounts, or after a failure. */
  private List<Row> leftOvers() {
    var later = now().plusSeconds(3_600).getEpochSecond();
    var id = bobs.postId();
    var burst = SuspicionFinding.of(SuspicionReason.FOLLOW_BURST, 400, 200);
    return List.of(
        PulledAuthor.from(ann.id(), now()).next(),
        Suspect.of(new Evidence(ann.id(), 9, now(), List.of(burst))),
        new FollowOpening("f00d", ann.id(), 30, now(), later),
        new FanOutChunk(id, 4, 7, ann.id(), cid.id(), 2, ChunkOutcome.FAILED, 0, 0, now(), later),
        new FanOutChunk(id, 5, 7, ann.id(), ann.id(), 1, ChunkOutcome.FAILED, 0, 0, now(), later),
        new PostNotificationChunk(id, 7, ann.id(), bob.id(), later),
        new PostNotificationChunk(id, 8, ann.id(), ann.id(), later),
        new Fence(Keys.followee(ann.id()), "x", false, false, 0, Map.of(), later),
        new Fence(Keys.user(ann.id()), "x", true, true, 0, Map.of(), later),
        new ProcessedEvent(
            "owed#0#shard#42#" + Keys.user(ann.id()) + "#" + User.FOLLOWERS_COUNT, later),
        new IdempotencyRecord(ann.id(), "k", "print", id, 201, "{}", later),
        new IdempotencyRecord(
            bob.id(), "k", "print", id, 201, "{\"id\":\"" + ann.id() + "\"}", later));
  }

  private Set<RowKind> kindsThatName(Person person) {
    return harness.rows().stream()
        .filter(row -> row.referencedAccounts().contains(person.id()))
        .map(Row::kind)
        .collect(Collectors.toSet());
  }

  private List<Row> naming(Person person) {
    return harness.rows().stream()
        .filter(row -> row.referencedAccounts().contains(person.id()) || isAnswerWith(row, person))
        .toList();
  }

  private static boolean isAnswerWith(Row row, Person person) {
    return row instanceof IdempotencyRecord before && before.body().contains(person.id());
  }

  private Erasure erasure(Person person) {
    return erasures.of(person.id()).orElseThrow();
  }

  /** Runs the next sweep, after everything that was under way has ended. */
  private void sweep() {
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    harness.drain();
  }

  /** Lets the timer of the sweep expire. */
  private void wake() {
    harness.handlers.apply(List.of(new WakeErasure(ErasureTimer.ofSweep(0, now()))));
  }

  private ErasureSweep current() {
    return ErasureSweeps.current(harness.table.table());
  }

  private void finish(Person person) {
    for (int i = 0; i < MAX_SWEEPS && erasure(person).step() == ErasureStep.RESTING; i++) {
      sweep();
    }
  }

  private void assertGone(Person person) {
    assertThat(erasure(person).step()).isEqualTo(ErasureStep.ERASED);
    assertThat(erasure(person).userId()).isNull();
    assertThat(erasure(person).erasedAt()).isNotNull();
    assertThat(naming(person)).isEmpty();
    assertThat(harness.deadLetters).isEmpty();
    var rows = harness.rows();
    assertThat(visible(Counts.held(rows))).isEqualTo(visible(Counts.recounted(rows)));
  }

  /** Without uses of tags that no list shows any more. */
  private Map<String, Long> visible(Map<String, Long> counts) {
    var visible = new HashMap<>(counts);
    visible
        .keySet()
        .removeIf(
            name -> {
              var use = name.split(" used at ");
              return use.length == 2
                  && TagUses.isPast(
                      TagUses.key(
                          TrendingTags.HALF_LIFE, use[0], Instant.parse(use[1] + ":00:00Z")),
                      now());
            });
    return visible;
  }

  /** An unfollow that is under way counts in it. */
  @Test
  void quota_stays_whileAnEdgeNeedsIt() {
    ann.follows(bob);
    var quota = harness.world.quotas.of(ann.id());
    var eraser = new Eraser(harness.table.table(), harness.table.clock());

    eraser.erase(ann.id(), List.of(quota), false);
    assertThat(harness.world.quotas.of(ann.id())).isEqualTo(quota);

    ann.unfollows(bob);
    eraser.erase(ann.id(), List.of(harness.world.quotas.of(ann.id())), false);
    assertThat(harness.table.table().get(quota.key())).isEmpty();
  }

  @Test
  void everyKindOfRowThatNamesAnAccount_exists_andIsGoneInTheEnd() {
    live();
    assertThat(kindsThatName(ann)).isEqualTo(naming());

    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN);
    assertThat(harness.world.users.get(ann.id())).isEmpty();
    assertThat(harness.world.users.idOfHandle(ann.id().replace('-', '_'))).isEmpty();
    harness.drain();
    finish(ann);

    assertGone(ann);
    assertThat(harness.rows())
        .as("what others made of it stays")
        .anySatisfy(
            row ->
                assertThat(row)
                    .isInstanceOfSatisfying(
                        Post.class,
                        post -> {
                          assertThat(post.postId()).isEqualTo(bobs.postId());
                          assertThat(post.text()).isEqualTo(bobs.text());
                          assertThat(post.mentions())
                              .extracting(Mention::userId)
                              .containsExactly(cid.id());
                          assertThat(post.likesCount()).isEqualTo(1);
                          assertThat(post.commentsCount()).isZero();
                        }));
    assertThat(bob.account().followersCount()).isZero();
    assertThat(bob.account().postsCount()).isEqualTo(2);
    assertThat(harness.world.quotas.of(bob.id()).specials()).isEmpty();
    assertThat(harness.world.notifications.unreadCount(cid.id()))
        .as("caused by bob's post only")
        .isEqualTo(1);
  }

  /** All kinds except those that name no accounts. */
  private static Set<RowKind> naming() {
    return EnumSet.complementOf(
        EnumSet.of(
            RowKind.TAG_TREND,
            RowKind.TAG_USES,
            RowKind.FAN_OUT_PLAN,
            RowKind.PULL_REVISION,
            RowKind.ERASURE,
            RowKind.ERASURE_ALARM,
            RowKind.ERASURE_SWEEP,
            RowKind.PENDING_ERASURE,
            RowKind.WEBHOOK,
            RowKind.WEBHOOK_DELIVERIES,
            RowKind.WEBHOOK_REGISTRY));
  }

  /**
   * Left are settings of others, bookkeeping that expires, and what an unfollow may write again.
   */
  @Test
  void keysAndIndexes_findEverythingVisible_andTheErasureWaitsForASweep() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isZero();
    assertThat(kindsThatName(ann))
        .isSubsetOf(
            RowKind.MUTE,
            RowKind.KEPT_HISTORY,
            RowKind.ANNOUNCEMENT,
            RowKind.EFFECT_MARK,
            RowKind.IDEMPOTENCY_RECORD,
            RowKind.FAN_OUT_CHUNK,
            RowKind.ANNOUNCEMENT_PART,
            RowKind.FOLLOW_OPENING,
            RowKind.TOP_AUTHOR);
    assertThat(pending())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.hash()).isEqualTo(Erasure.hash(ann.id()));
              assertThat(waiting.userId()).isEqualTo(ann.id());
              assertThat(waiting.sweep()).isZero();
            });
    assertThat(timers())
        .singleElement()
        .satisfies(
            timer -> {
              assertThat(timer.isOfSweep()).isTrue();
              assertThat(timer.expiresAt()).isLessThanOrEqualTo(now().getEpochSecond());
            });
  }

  private List<PendingErasure> pending() {
    return harness.rows().stream()
        .filter(PendingErasure.class::isInstance)
        .map(PendingErasure.class::cast)
        .toList();
  }

  private List<ErasureTimer> timers() {
    return harness.rows().stream()
        .filter(ErasureTimer.class::isInstance)
        .map(ErasureTimer.class::cast)
        .toList();
  }

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
    var waiting = IntStream.range(0, PENDING).mapToObj(i -> resting("gone" + i, since)).toList();
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
            StreamHarness.NEWEST,
            BatchSizes.STANDARD,
            new ErasureSweeps.Settings(
                ErasureSweeps.MAX_PERIOD, Retention.ERASURE_REST, unitsPerSecond),
            harness.events::add);
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

  private static Erasure resting(String userId, Instant since) {
    var begun = Erasure.of(userId, since);
    return new Erasure(
        begun.hash(), userId, since, ErasureStep.RESTING, null, null, 0, false, 6, null, null);
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
    assertThat(current().includes(pending(ann))).isFalse();
    assertThat(current().includes(pending(bob))).isTrue();
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
    var resting =
        new Erasure(
            Erasure.hash("old"),
            "old",
            now(),
            ErasureStep.RESTING,
            null,
            null,
            1,
            false,
            7,
            null,
            null);
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

  @Test
  void concurrentWrites_areFoundByASweep() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();
    // Requests that had found the account before it was deleted.
    ann.likes(bobs);
    ann.comments(bobs, "late");
    ann.follows(cid);
    cid.follows(ann);
    cid.blocks(ann);
    bob.posts("again to @" + ann.id().replace('-', '_'));
    var late =
        new Notification(
            bob.id(),
            TimeOrderedId.named(now(), "late"),
            NotificationType.LIKE,
            ann.id(),
            bobs.postId(),
            now(),
            false,
            now().plusSeconds(99).getEpochSecond());
    harness.world.notifications.add(late);
    harness.drain();
    assertThat(naming(ann)).isNotEmpty();

    finish(ann);

    assertGone(ann);
  }

  @Test
  void replayedEvents_restoreNothing_thatASweepDoesNotFind() {
    live();
    erasures.begin(ann.id(), now());
    harness.drain();
    harness.replay(Lane.EFFECTS);
    harness.replay(Lane.COUNTS);

    finish(ann);

    assertGone(ann);
  }

  @Test
  void request_repeated_changesNothing_andTheIdIsNotFree() {
    var user = ann.account();
    erasures.begin(ann.id(), now());
    harness.drain();
    var rests = erasure(ann);

    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN_BEFORE);
    assertThat(erasure(ann)).isEqualTo(rests);
    assertThat(harness.world.users.register(user)).isEqualTo(new Registration.Erased());
    finish(ann);
    assertThat(erasures.begin(ann.id(), now())).isEqualTo(ErasureRequestOutcome.BEGUN_BEFORE);
    assertThat(harness.world.users.register(user)).isEqualTo(new Registration.Erased());
    assertThat(erasures.begin("no-account", now())).isEqualTo(ErasureRequestOutcome.NOT_REGISTERED);
    assertThat(harness.world.users.idOfHandle(user.handle())).as("free at once").isEmpty();
  }

  @Test
  void handle_isFreeAtOnce_andItsNextOwnerKeepsIt() {
    var handle = ann.account().handle();
    erasures.begin(ann.id(), now());
    harness.world.users.register(User.registered("gus", handle, "Gus", null, now()));
    harness.drain();
    finish(ann);

    assertGone(ann);
    assertThat(harness.rows()).contains(new HandleClaim(handle, "gus"));
  }

  /** Erasing an account removes its present claim itself; another one may remain after a repair. */
  @Test
  void strayHandleClaim_isRemovedToo() {
    harness
        .table
        .table()
        .putAll(List.of(new HandleClaim("stray_" + ann.account().handle(), ann.id())));
    erasures.begin(ann.id(), now());
    harness.drain();
    finish(ann);

    assertGone(ann);
  }

  @Test
  void smallParts_continueWhereTheyStopped() {
    live();
    harness.pause();
    erasures.begin(ann.id(), now());
    var small = small(ErasureSweeps.Settings.unpaced());
    var places = eraseUntilItRests(small, ann);
    assertThat(places).doesNotHaveDuplicates();
    assertThat(places.stream().filter(place -> place.getFirst().equals("WALK")))
        .hasSizeGreaterThan(2);

    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    var positions = new ArrayList<Optional<Key>>();
    while (current().step() == ErasureSweep.Step.SCANNING) {
      positions.add(Optional.ofNullable(current().position()));
      order(small);
    }
    assertThat(positions).doesNotHaveDuplicates().hasSizeGreaterThan(2);
    harness.resume();
    harness.drain();
    finish(ann);
    assertGone(ann);
  }

  /** Returns the places at which the parts began. */
  private List<List<String>> eraseUntilItRests(EffectHandlers handlers, Person person) {
    var places = new ArrayList<List<String>>();
    for (var at = erasure(person); at.step().isUnderWay(); at = erasure(person)) {
      places.add(Arrays.asList(at.step().name(), at.afterPartition(), at.afterSort()));
      handlers.apply(List.of(new Erase(at.hash(), at.revision())));
    }
    return places;
  }

  /** Lets handlers do the next part of the sweep. */
  private void order(EffectHandlers handlers) {
    handlers.apply(List.of(new SweepErasures(current().revision())));
  }

  private EffectHandlers small(ErasureSweeps.Settings sweeping) {
    return new EffectHandlers(
        harness.table.table(),
        harness.table.clock(),
        StreamHarness.NEWEST,
        new BatchSizes(1, 1, 1, 1, 1, SMALL),
        sweeping,
        harness.events::add);
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

  @Test
  void replayedOrders_changeNothing() {
    erasures.begin(ann.id(), now());
    harness.drain();
    var rests = erasure(ann);

    harness.handlers.apply(
        List.of(
            new Erase(rests.hash(), rests.revision()),
            new Erase(rests.hash(), rests.revision() - 1)));

    assertThat(erasure(ann)).isEqualTo(rests);
  }

  /** The last sweep detects an incomplete erasure, whichever kind of row it leaves out. */
  @ParameterizedTest
  @MethodSource("erasedKinds")
  void erasureThatSkipsAKind_doesNotEnd_untilItIsRepaired(RowKind kind) {
    live();
    var skipped = naming(ann).stream().filter(row -> row.kind() == kind).map(Row::key).toList();
    assertThat(skipped).isNotEmpty();
    ignored.ignore(skipped);

    erasures.begin(ann.id(), now());
    harness.drain();
    finish(ann);

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);
    assertThat(erasure(ann).passes()).isEqualTo(MAX_SWEEPS);
    assertThat(kindsThatName(ann)).contains(kind);
    ignored.repair();
    finish(ann);
    assertGone(ann);
  }

  /** Profile and handle go with the order to erase, in one transaction. */
  private static Set<RowKind> erasedKinds() {
    var kinds = naming();
    kinds.removeAll(EnumSet.of(RowKind.USER, RowKind.HANDLE_CLAIM));
    return kinds;
  }

  /** Any account may write the id as a word, and another account may own the handle by then. */
  @Test
  void idAsAWord_inStoredResponsesOfOthers_doesNotKeepAnErasureFromEnding() {
    erasures.begin(ann.id(), now());
    harness.drain();
    for (int sweep = 0; sweep < MAX_SWEEPS && erasure(ann).step() != ErasureStep.ERASED; sweep++) {
      var body =
          "{\"id\":\"p\",\"author\":{\"id\":\"bob\",\"handle\":\"ID\"},\"text\":\"ID\",\"tags\":[\"ID\"]}"
              .replace("ID", ann.id());
      var quoted = "{\"text\":\"\\\"id\\\":\\\"ID\\\"\"}".replace("ID", ann.id());
      var later = now().plus(ErasureSweeps.MAX_PERIOD.multipliedBy(2)).getEpochSecond();
      harness
          .table
          .table()
          .putAll(
              List.of(
                  new IdempotencyRecord(bob.id(), "k" + sweep, "print", "p", 201, body, later),
                  new IdempotencyRecord(bob.id(), "q" + sweep, "print", "p", 201, quoted, later)));
      harness.drain();
      sweep();
    }

    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
  }

  @Test
  void unreadableItem_keepsAnErasureFromEnding() {
    var post = bob.posts("x");
    var like = ann.likes(post);
    harness.drain();
    harness.unset(like.key(), Follow.CREATED_AT);
    harness.drain();
    erasures.begin(ann.id(), now());
    harness.drain();
    sweep();
    sweep();
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.RESTING);

    harness.table.table().deleteAll(List.of(like.key()));
    harness.drain();
    finish(ann);
    assertThat(erasure(ann).step()).isEqualTo(ErasureStep.ERASED);
  }
}
