package social.feed.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.effect.EraseHandler.Erase;
import social.feed.streams.effect.SweepErasuresHandler.SweepErasures;
import social.feed.streams.effect.WakeErasureHandler.WakeErasure;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.erasure.Erasures;
import social.feed.table.home.FeedActivities;
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
import social.feed.table.row.FollowOpening;
import social.feed.table.row.IdempotencyRecord;
import social.feed.table.row.Keys;
import social.feed.table.row.Media;
import social.feed.table.row.MediaRemoval;
import social.feed.table.row.PendingErasure;
import social.feed.table.row.Post;
import social.feed.table.row.PostNotificationChunk;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.PulledAuthor;
import social.feed.table.row.Row;
import social.feed.table.row.Suspect;
import social.feed.table.row.Suspect.Evidence;
import social.feed.table.row.SuspicionFinding;
import social.feed.table.row.SuspicionReason;
import social.feed.table.row.TagUses;
import social.feed.table.row.User;
import social.feed.testkit.SeedWorld.Person;

/**
 * Three accounts, one of which a test erases, with rows of all kinds that can name an account. A
 * test lets parts and sweeps run one by one, and asks what is left.
 */
abstract class ErasureScenario {
  static final int MAX_SWEEPS = 5;
  static final int SMALL = 4;

  final IgnoredWrites ignored = new IgnoredWrites();
  StreamHarness harness;
  Erasures erasures;
  Person ann;
  Person bob;
  Person cid;
  Post bobs;

  @BeforeEach
  void start() {
    harness = StreamHarness.startOver(ignored);
    erasures = new Erasures(harness.table.table(), harness.world.users);
    ann = harness.world.user("ann");
    bob = harness.world.user("bob");
    cid = harness.world.user("cid");
    bobs = bob.posts("to @" + ann.account().handle() + " and @" + cid.account().handle());
    // An erasure that overtakes the mention would leave it to the sweep.
    harness.drain();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  Instant now() {
    return Timestamps.now(harness.table.clock());
  }

  /** Writes rows of all kinds that can name an account, naming ann. */
  void live() {
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
        MediaRemoval.of("n" + ann.id(), ann.id(), 1),
        MediaRemoval.of("n" + ann.id(), ann.id(), 1).timer(now()),
        new FanOutChunk(
            id, 4, 7, ann.id(), cid.id(), 2, "x", null, ChunkOutcome.FAILED, 0, 0, now(), later),
        new FanOutChunk(
            id, 5, 7, ann.id(), ann.id(), 1, "x", null, ChunkOutcome.FAILED, 0, 0, now(), later),
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

  List<Row> naming(Person person) {
    return harness.rows().stream()
        .filter(row -> row.referencedAccounts().contains(person.id()) || isAnswerWith(row, person))
        .toList();
  }

  private static boolean isAnswerWith(Row row, Person person) {
    return row instanceof IdempotencyRecord before && before.body().contains(person.id());
  }

  Erasure erasure(Person person) {
    return erasures.of(person.id()).orElseThrow();
  }

  /** Runs the next sweep, after everything that was under way has ended. */
  void sweep() {
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    harness.drain();
    harness.expireRemovals();
  }

  /** The same while the stream is paused. */
  void sweepWhilePaused() {
    harness.table.clock().advance(ErasureSweeps.MAX_PERIOD);
    wake();
    while (current().isUnderWay()) {
      order(harness.handlers);
    }
  }

  /** Lets the timer of the sweep expire. */
  void wake() {
    harness.handlers.apply(List.of(new WakeErasure(ErasureTimer.ofSweep(0, now()))));
  }

  ErasureSweep current() {
    return ErasureSweeps.current(harness.table.table());
  }

  void finish(Person person) {
    for (int i = 0; i < MAX_SWEEPS && erasure(person).step() == ErasureStep.RESTING; i++) {
      sweep();
    }
  }

  void assertGone(Person person) {
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

  List<PendingErasure> pending() {
    return harness.rows().stream()
        .filter(PendingErasure.class::isInstance)
        .map(PendingErasure.class::cast)
        .toList();
  }

  List<ErasureTimer> timers() {
    return harness.rows().stream()
        .filter(ErasureTimer.class::isInstance)
        .map(ErasureTimer.class::cast)
        .toList();
  }

  /** Returns the places at which the parts began. */
  List<List<String>> eraseUntilItRests(EffectHandlers handlers, Person person) {
    var places = new ArrayList<List<String>>();
    for (var at = erasure(person); at.step().isUnderWay(); at = erasure(person)) {
      places.add(Arrays.asList(at.step().name(), at.afterPartition(), at.afterSort()));
      handlers.apply(List.of(new Erase(at.hash(), at.revision())));
    }
    return places;
  }

  /** Lets handlers do the next part of the sweep. */
  void order(EffectHandlers handlers) {
    handlers.apply(List.of(new SweepErasures(current().revision())));
  }

  EffectHandlers small(ErasureSweeps.Settings sweeping) {
    return new EffectHandlers(
        harness.table.table(),
        harness.table.clock(),
        EffectSettings.of(
                StreamHarness.NEWEST, new BatchSizes(1, 1, 1, 1, 1, SMALL, 1, 1, SMALL), sweeping)
            .withEvents(harness.events::add));
  }
}
