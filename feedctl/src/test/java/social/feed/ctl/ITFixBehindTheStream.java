package social.feed.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.counter.Fences.Place;
import social.feed.table.counter.TransactionalCounters;
import social.feed.table.home.FeedActivities;
import social.feed.table.ranking.TrendingTags;
import social.feed.table.row.Erasure;
import social.feed.table.row.ErasurePace;
import social.feed.table.row.ErasureStep;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.FeedEntry;
import social.feed.table.row.Like;
import social.feed.table.row.Post;
import social.feed.table.row.PostCleanUp;
import social.feed.table.row.PostCleanUp.Cause;
import social.feed.table.row.PostTag;
import social.feed.table.row.ProcessedEvent;
import social.feed.table.row.TagTrend;
import social.feed.table.row.User;
import social.feed.table.row.WaitingErasure;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SeedWorld.Person;
import social.feed.verify.LaneWait;
import social.feed.verify.RepairLoop;
import social.feed.verify.RepairReport;

/**
 * Repairs while the lanes of the multiplexer are held, as {@code verify --fix} does on AWS when
 * they lag more than it waits.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ITFixBehindTheStream {
  private static final Runnable NOTHING = () -> {};
  private static final RepairLoop.Lanes WITHOUT_FENCE = (places, _) -> places;

  private final VerifyWorld world = new VerifyWorld();
  private final SeedWorld seed = new SeedWorld(world.table(), Clock.systemUTC());
  private final Person author = seed.user("author");
  private final List<Person> others =
      IntStream.range(0, 5).mapToObj(number -> seed.user("other" + number)).toList();
  private Post post = author.posts("First");

  /** What users do while the lanes are held. */
  enum Action {
    LIKES(test -> test.others.forEach(other -> other.likes(test.post))),
    UNLIKES(
        test -> test.others.forEach(other -> other.likes(test.post)),
        test -> test.others.forEach(other -> other.unlikes(test.post))),
    COMMENTS(test -> test.others.forEach(other -> other.comments(test.post, "Fine"))),
    FOLLOWS(
        test -> test.others.forEach(other -> other.unfollows(test.author)),
        test -> test.others.forEach(other -> other.follows(test.author))),
    TAGS(test -> test.others.forEach(other -> other.posts("On #monday" + test.post.postId())));

    private final Consumer<ITFixBehindTheStream> before;
    private final Consumer<ITFixBehindTheStream> held;

    Action(Consumer<ITFixBehindTheStream> held) {
      this(_ -> {}, held);
    }

    Action(Consumer<ITFixBehindTheStream> before, Consumer<ITFixBehindTheStream> held) {
      this.before = before;
      this.held = held;
    }
  }

  @BeforeAll
  void drain() {
    world.drain();
  }

  @BeforeEach
  void write() {
    var fixed = world.fix();
    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    post = author.posts("Next");
    world.drain();
  }

  @AfterAll
  void stop() {
    world.close();
  }

  @Test
  void likesOfAHeldLane_areCountedOnce() {
    world.hold();
    others.forEach(other -> other.likes(post));

    var fixed = fix(new LaneWait(world.table(), Duration.ZERO, _ -> {}));
    long held = likes();
    world.drain();

    assertThat(held).as("not repaired").isZero();
    assertThat(line(fixed, "likes_count").unsettled()).isEqualTo(1);
    assertThat(fixed.render())
        .contains(
            "not settled, not repaired, likes_count:", "likes_count is 0, but 5 were counted");
    assertThat(likes()).isEqualTo(5);
    assertThat(world.verify().isClean()).isTrue();
  }

  /** Planted fault: a repair that does not wait for the lane counts the likes a second time. */
  @Test
  void likesOfAHeldLane_areCountedTwice_withoutAFence() {
    world.hold();
    others.forEach(other -> other.likes(post));

    fix(WITHOUT_FENCE);
    long held = likes();
    world.drain();

    assertThat(held).isEqualTo(5);
    assertThat(likes()).isEqualTo(10);
    assertThat(world.verify().render()).contains("likes_count is 10, but 5 were counted");
  }

  /** The lane has not done the part that was ordered long ago. */
  @Test
  void orderOfACleanUp_thatWaitsForLong_isGivenAgain() {
    var order = PostCleanUp.of("ghost", 1, Cause.DELETED, Like.key("ghost", "1"), Fault.AT);
    world.hold();
    world.plant(order);

    var fixed = fix(WITHOUT_FENCE);

    assertThat(fixed.repaired()).isEqualTo(1);
    assertThat(fixed.render()).contains(order.key() + " has waited since");
    assertThat(world.row(order.key()))
        .isInstanceOfSatisfying(
            PostCleanUp.class,
            again -> assertThat(again.revision()).isEqualTo(order.revision() + 1));
    world.drain();
    assertThat(world.table().get(order.key())).isEmpty();
    assertThat(world.verify().isClean()).isTrue();
  }

  /** Units were granted to it, so it does not wait, and the record of the grant does not come. */
  @Test
  void orderOfAnErasure_thatIsLate_isGivenAgain() {
    var halted = Erasure.of("halted", Fault.AT).granted(200);
    var patient = Erasure.of("patient", Fault.AT).granted(200);
    world.hold();
    List.of(halted, patient, WaitingErasure.of(patient, 300)).forEach(world::plant);
    world.plant(ErasurePace.NONE.started(Fault.now()));

    var fixed = fix(WITHOUT_FENCE);

    assertThat(fixed.repaired()).isEqualTo(1);
    assertThat(fixed.render())
        .contains(halted.key() + " has not gone on since " + Fault.AT)
        .doesNotContain(patient.key().toString());
    assertThat(world.row(halted.key()))
        .isInstanceOfSatisfying(
            Erasure.class,
            again ->
                assertThat(again)
                    .returns(halted.revision() + 1, Erasure::revision)
                    .returns(200L, Erasure::unitsLeft));
    assertThat(fix(WITHOUT_FENCE).repaired()).isZero();
    world.drain();
    assertThat(List.of(halted, patient))
        .extracting(erasure -> ((Erasure) world.row(erasure.key())).step())
        .containsOnly(ErasureStep.RESTING);
    assertThat(world.verify().isClean()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void countsOfHeldLanes_areExactAfterwards(Action action) {
    prepare(action);

    var fixed = fix(new LaneWait(world.table(), Duration.ZERO, _ -> {}));
    world.drain();

    assertThat(fixed.unsettled()).isPositive();
    var after = world.verify();
    assertThat(after.isClean()).as(after.render()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void countsOfHeldLanes_drift_withoutAFence(Action action) {
    prepare(action);

    fix(WITHOUT_FENCE);
    world.drain();

    assertThat(world.verify().isClean()).isFalse();
  }

  /** The author's posts are counted by their processed events, so they need no fence. */
  @Test
  void postsOfAHeldLane_areCountedOnce() {
    long before = author.account().postsCount();
    world.hold();
    author.posts("One");
    var last = author.posts("Two");

    fix(WITHOUT_FENCE);
    long held = author.account().postsCount();
    boolean isRedriven = redrive(last, ProcessedEvent.CREATED, 1);
    world.drain();

    assertThat(held).isEqualTo(before + 2);
    assertThat(isRedriven).as("a dead letter without a pending count").isFalse();
    assertThat(author.account().postsCount()).isEqualTo(before + 2);
  }

  /**
   * The record of a deletion may wait in a shard of its own while the account's partition has
   * passed its fence. The deletion itself has subtracted the post.
   */
  @Test
  void deletionOfAHeldLane_isSubtractedOnce() {
    long before = author.account().postsCount();
    world.hold();
    author.deletes(post);

    var fixed = fix(WITHOUT_FENCE);
    long held = author.account().postsCount();
    boolean isRedriven = redrive(post, ProcessedEvent.DELETED, -1);
    world.drain();

    assertThat(isRedriven).as("a dead letter without a pending count").isFalse();
    assertThat(line(fixed, "posts_count").repaired()).isZero();
    assertThat(held).isEqualTo(before - 1);
    assertThat(author.account().postsCount()).isEqualTo(before - 1);
    assertThat(world.verify().isClean()).isTrue();
  }

  /** The stream counts neither of the two, whatever is counted while they wait. */
  @Test
  void postThatIsCreatedAndDeletedInAHeldLane_isNeverCounted() {
    long before = author.account().postsCount();
    world.hold();
    var brief = author.posts("Brief");
    author.deletes(brief);

    var fixed = fix(WITHOUT_FENCE);
    boolean isRedriven = redrive(brief, ProcessedEvent.CREATED, 1);
    world.drain();

    assertThat(isRedriven).as("a dead letter without a pending count").isFalse();
    assertThat(line(fixed, "posts_count").repaired()).isZero();
    assertThat(author.account().postsCount()).isEqualTo(before);
    assertThat(world.verify().isClean()).isTrue();
  }

  /** Counts a post as the redrive of its dead letter does. Returns whether it was added. */
  private boolean redrive(Post counted, String what, long delta) {
    var counters = new TransactionalCounters(world.table(), Clock.systemUTC());
    var event = ProcessedEvent.nameOfPost(counted.postId(), what);
    var item = User.key(author.id());
    return counters.addLate(event, item, User.POSTS_COUNT, delta)
        || counters.addOnce(
            new ProcessedEvent(event, 4_000_000_000L), item, User.POSTS_COUNT, delta);
  }

  /** Feed entries are idempotent by key, so a repair and a late rebuild write the same ones. */
  @Test
  void rebuildOfAHeldLane_completesTheFeed() {
    var reader = others.getFirst();
    var activities = new FeedActivities(world.table());
    reader.unfollows(author);
    reader.follows(author);
    var absent = FeedActivity.at(reader.id(), Fault.now().minus(Duration.ofDays(40)));
    world.plant(absent);
    world.drain();
    var entry = FeedEntry.of(post.ref(), reader.id());
    world.steal(entry.key());
    world.hold();
    activities.read(reader.id(), Fault.now(), Optional::empty);

    fix(WITHOUT_FENCE);
    boolean isRepaired = world.table().get(entry.key()).isPresent();
    world.drain();

    assertThat(isRepaired).as("the entry is the rebuild's to write").isFalse();
    assertThat(world.table().get(entry.key())).isPresent();
    assertThat(activities.get(reader.id()).orElseThrow().rebuildFrom()).isNull();
    assertThat(world.verify().isClean()).isTrue();
  }

  /**
   * A use is counted by the lane of counts, and compared with tag rows that the lane of effects
   * writes. Here the rows of the newest posts are missing, as if only that lane were behind. One
   * more post is written while the repair waits for the stream.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void tagUses_whileOnlyTheLaneOfEffectsIsBehind_stayAsCounted(int waits) {
    var tag = "late" + post.postId().toLowerCase(Locale.ROOT);
    others.subList(0, 3).forEach(other -> withoutTagRow(other, tag));
    var waited = new AtomicInteger();
    Runnable drain =
        () -> {
          world.drain();
          if (waited.incrementAndGet() == waits) {
            withoutTagRow(author, tag);
          }
        };
    var behind = new LaneWait(world.table(), Duration.ofMinutes(1), _ -> {});

    var fixed =
        world
            .repairLoop((places, hasWaited) -> passedByCounts(behind, places, hasWaited))
            .run(drain, _ -> {}, _ -> {});

    var key = TagTrend.key(TrendingTags.HALF_LIFE, tag);
    assertThat(waited).hasValueGreaterThanOrEqualTo(waits);
    assertThat(line(fixed, "tag uses").repaired()).isZero();
    var uses = ((TagTrend) world.row(key)).uses().values();
    assertThat(uses.stream().mapToLong(Long::longValue).sum()).isEqualTo(4);
    assertThat(world.fix().after().isClean()).isTrue();
  }

  private static Set<Place> passedByCounts(LaneWait lanes, Set<Place> places, boolean hasWaited) {
    return lanes.passed(
        places.stream().filter(place -> !place.ofEffects()).collect(Collectors.toSet()), hasWaited);
  }

  private void withoutTagRow(Person person, String tag) {
    var written = person.posts("On #" + tag);
    world.drain();
    world.steal(PostTag.of(written, tag).key());
    world.drain();
  }

  /** The lane passes while the repair waits, and has counted the likes by then. */
  @Test
  void likesThatTheLaneCountsDuringTheWait_areNotOverwritten() {
    world.hold();
    others.forEach(other -> other.likes(post));

    var fixed = fix(new LaneWait(world.table(), Duration.ofMinutes(1), _ -> world.drain()));

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(line(fixed, "likes_count").repaired()).isZero();
    assertThat(likes()).isEqualTo(5);
  }

  @Test
  void driftBehindAHeldLane_isRepairedOnceTheLaneHasPassed() {
    others.forEach(other -> other.likes(post));
    world.drain();
    world.hold();
    world.set(post.key(), Post.LIKES_COUNT, Fault.number(9));
    others.subList(0, 2).forEach(other -> other.unlikes(post));

    var fixed = fix(new LaneWait(world.table(), Duration.ofMinutes(1), _ -> world.drain()));

    assertThat(fixed.after().isClean()).as(fixed.render()).isTrue();
    assertThat(line(fixed, "likes_count").repaired()).isEqualTo(1);
    assertThat(likes()).isEqualTo(3);
  }

  /** The lanes run, and likes come and go during the repair. */
  @Test
  void likesAndUnlikesDuringTheRepair_areCountedOnce() {
    others.forEach(other -> other.likes(post));
    world.drain();
    world.set(post.key(), Post.LIKES_COUNT, Fault.number(70));

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      others.forEach(other -> threads.submit(() -> likeAndUnlike(other)));
      fix(new LaneWait(world.table(), Duration.ofMinutes(1), _ -> {}));
    }
    world.drain();

    assertThat(likes()).as("repaired exactly, or left alone").isIn(5L, 70L);
    assertThat(world.fix().after().isClean()).isTrue();
    assertThat(likes()).isEqualTo(5);
  }

  private void likeAndUnlike(Person other) {
    for (int times = 0; times < 20; times++) {
      other.unlikes(post);
      other.likes(post);
    }
  }

  private void prepare(Action action) {
    action.before.accept(this);
    world.drain();
    world.hold();
    action.held.accept(this);
  }

  /** Repairs as on AWS: nothing says when the stream has caught up. */
  private RepairReport fix(RepairLoop.Lanes lanes) {
    return world.repairLoop(lanes).run(NOTHING, _ -> {}, _ -> {});
  }

  private static RepairReport.Line line(RepairReport report, String check) {
    return report.lines().stream()
        .filter(line -> line.check().equals(check))
        .findAny()
        .orElseThrow();
  }

  private long likes() {
    return ((Post) world.row(post.key())).likesCount();
  }
}
