package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.change.Change;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Two planners that cut the audience of one post at the same time. Redrives and replays do not keep
 * the order in which the lane applies the changes of a post. Each test of a race also runs with its
 * bug planted.
 */
class ITPlannerRaces extends HandlerRaces {
  private static final Wire BY_EXPIRY = new PlantedWires.PlansByExpiry();
  private static final Wire LOST_ANSWER = new PlantedWires.FoundPlans();

  private String ann = "";
  private List<String> followers = List.of();

  private Post postWithAudience() {
    ann = user("ann");
    followers = Stream.of("b", "c", "d", "e", "f").map(this::user).toList();
    followers.forEach(follower -> follow(follower, ann));
    return post(ann, Visibility.PUBLIC, ann);
  }

  /** A plan that begins now, and expires in the same second as those of the handlers. */
  private FanOutPlan plan(Post post, @Nullable String planId) {
    var now = clock.instant();
    var expiresAt = now.plus(Retention.FAN_OUT_PLANS).getEpochSecond();
    return new FanOutPlan(post.postId(), planId, 0, 0, 0, now, null, null, expiresAt);
  }

  private FanOutChunk chunk(FanOutPlan plan, Post post, int number, int from, int to) {
    return FanOutChunk.of(
        plan, post, number, followers.get(from), followers.get(to), to - from + 1);
  }

  private static Hook before(Class<? extends Row> put, Runnable action) {
    return new Hook(request -> puts(put, request), action);
  }

  private static boolean puts(Class<? extends Row> kind, DynamoDbRequest request) {
    return request instanceof PutItemRequest write && isA(kind, write.item());
  }

  private static Wire diesAfter(Class<? extends Row> put) {
    return new PlantedWires.CutOff(request -> puts(put, request));
  }

  private List<FanOutChunk> chunks(Post post) {
    return rows(FanOutChunk.class, row -> row.postId().equals(post.postId()));
  }

  /** The followers in no chunk. */
  private List<String> unreached(Post post) {
    var chunks = chunks(post);
    return followers.stream()
        .filter(id -> chunks.stream().noneMatch(chunk -> chunk.reaches(id)))
        .toList();
  }

  /** The number of followers that the author sees. */
  private long counted(Post post) {
    return new FanOuts(table).progress(post.postId(), clock.instant()).orElseThrow().planned();
  }

  @Test
  void concurrentPlanners_reachEachFollower() {
    assertThat(unreachedNextTo(Wire.SOUND, 0, 0, 0)).isEmpty();
    assertThat(unreachedNextTo(new PlantedWires.OwnChunks(), 0, 0, 0)).isNotEmpty();
  }

  /** The other one did not see a follow that this one sees, or has chunks of another size. */
  @Test
  void concurrentPlanners_withOtherFollowersInAChunk_reachEachFollower() {
    assertThat(unreachedNextTo(Wire.SOUND, 1, 3, 4)).isEmpty();
    assertThat(unreachedNextTo(new PlantedWires.ReachingChunks(), 1, 3, 4)).isNotEmpty();
  }

  /** Another planner of the same plan stores a chunk right before this one stores its first. */
  private List<String> unreachedNextTo(Wire bug, int number, int from, int to) {
    var post = postWithAudience();
    var hook =
        before(
            FanOutChunk.class,
            () -> {
              var plan = table.get(FanOutPlan.key(post.postId())).map(RowCodec::decode);
              new FanOuts(table)
                  .add(chunk((FanOutPlan) plan.orElseThrow(), post, number, from, to));
            });
    apply(bug, hook, FanOut.class, post);
    return unreached(post);
  }

  /** The post was hidden and is shown again, so the first planner's chunks are delivered again. */
  @ParameterizedTest
  @EnumSource
  void plannerOfAForgottenFanOut_takesNoFollowerFromTheNextOne(LateWrite late) {
    assertThat(unreached(postAfterAForget(late, late.sound))).isEmpty();
    assertThat(unreached(postAfterAForget(late, late.bug))).isNotEmpty();
  }

  @Test
  void chunkOfAForgottenFanOut_isNotCountedInTheNextOne() {
    assertThat(counted(postAfterAForget(LateWrite.CHUNK, Wire.SOUND))).isEqualTo(followers.size());
    assertThat(counted(postAfterAForget(LateWrite.CHUNK, BY_EXPIRY)))
        .isGreaterThan(followers.size());
  }

  /** A forgotten planner has chunks before, between and behind those of the next one. */
  @Test
  void chunksOfAForgottenFanOut_onlyTakeNumbers() {
    assertThat(countedBetweenChunksOfAnother(Wire.SOUND)).isEqualTo(followers.size());
    assertThat(countedBetweenChunksOfAnother(BY_EXPIRY)).isNotEqualTo(followers.size());
  }

  private long countedBetweenChunksOfAnother(Wire bug) {
    var post = postWithAudience();
    var planner = new FanOuts(engine.over(bug));
    var forgotten = plan(post, "forgotten");
    planner.add(chunk(forgotten, post, 1, 0, 1));
    var hook = before(FanOutChunk.class, () -> planner.add(chunk(forgotten, post, 2, 0, 3)));
    assertThatThrownBy(
            () -> apply(diesAfter(FanOutChunk.class).over(bug), hook, FanOut.class, post))
        .isInstanceOf(Crash.class);
    planner.add(chunk(forgotten, post, 4, 2, 3));
    apply(bug, Hook.NONE, FanOut.class, post);
    assertThat(unreached(post)).isEmpty();
    return counted(post);
  }

  /** The planner that forgot the fan-out dies, and a redrive finds its plan without chunks. */
  @Test
  void plannerThatDiesBeforeItsFirstChunk_isFollowedFromTheFirstFollower() {
    assertThat(unreached(postAfterADeath(Wire.SOUND))).isEmpty();
    assertThat(unreached(postAfterADeath(BY_EXPIRY))).isNotEmpty();
  }

  private Post postAfterADeath(Wire bug) {
    var post = postWithAudience();
    assertThatThrownBy(
            () -> forget(post, LateWrite.CHUNK, bug, diesAfter(FanOutPlan.class).over(bug)))
        .isInstanceOf(Crash.class);
    assertThat(chunks(post)).extracting(FanOutChunk::number).containsExactly(2L);
    apply(bug, Hook.NONE, FanOut.class, post);
    return post;
  }

  private Post postAfterAForget(LateWrite late, Wire bug) {
    var post = postWithAudience();
    forget(post, late, bug, bug);
    return post;
  }

  /** A change of the post has forgotten the fan-out, and is about to begin the next one. */
  private void forget(Post post, LateWrite late, Wire bugOfPlanner, Wire bugOfChange) {
    var planner = new FanOuts(engine.over(bugOfPlanner));
    var forgotten = planner.begin(plan(post, "forgotten"));
    planner.add(chunk(forgotten, post, 0, 0, 1));
    planner.add(chunk(forgotten, post, 1, 2, 3));
    var posts = new Posts(table);
    var hidden = posts.changeVisibility(post.postId(), ann, Visibility.PRIVATE).orElseThrow();
    var shown = posts.changeVisibility(post.postId(), ann, Visibility.PUBLIC).orElseThrow();
    var hook =
        before(
            FanOutPlan.class,
            () -> late.write(planner, forgotten, chunk(forgotten, post, 2, 4, 4)));
    apply(bugOfChange, hook, ChangeVisibility.class, new Change.Modified(hidden, shown));
  }

  /** Its dead letter came in the middle of the audience, and is redriven. */
  @ParameterizedTest
  @NullSource // as an earlier version began it
  @ValueSource(strings = "one")
  void failedFanOut_goesOnBehindItsLastChunk(@Nullable String planId) {
    var post = postWithAudience();
    var planner = new FanOuts(table);
    var plan = planner.begin(plan(post, planId));
    planner.add(chunk(plan, post, 0, 0, 1));
    clock.advance(Duration.ofMinutes(1));
    planner.fail(plan(post, "redriven").failed(clock.instant()));

    apply(Wire.SOUND, Hook.NONE, FanOut.class, post);

    var chunks = chunks(post);
    assertThat(followers)
        .allSatisfy(id -> assertThat(chunks).filteredOn(chunk -> chunk.reaches(id)).hasSize(1));
    assertThat(chunks).extracting(FanOutChunk::planId).containsOnly(planId);
    assertThat(counted(post)).isEqualTo(followers.size());
  }

  /** What the first planner writes after its fan-out was forgotten, and a bug that it meets. */
  private enum LateWrite {
    CHUNK(LOST_ANSWER, BY_EXPIRY.over(LOST_ANSWER)) {
      @Override
      void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last) {
        planner.add(last);
      }
    },
    END(Wire.SOUND, new PlantedWires.UnconditionalPlans()) {
      @Override
      void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last) {
        planner.complete(forgotten.planned(last.number() + 1, forgotten.startedAt()));
      }
    };

    private final Wire sound;
    private final Wire bug;

    LateWrite(Wire sound, Wire bug) {
      this.sound = sound;
      this.bug = bug;
    }

    abstract void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last);
  }
}
