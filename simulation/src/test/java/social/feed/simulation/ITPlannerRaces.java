package social.feed.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.streams.change.Change;
import social.feed.streams.effect.ChangeVisibilityHandler.ChangeVisibility;
import social.feed.streams.effect.FanOutHandler.FanOut;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.post.Posts;
import social.feed.table.row.FanOutChunk;
import social.feed.table.row.FanOutPlan;
import social.feed.table.row.Post;
import social.feed.table.row.Row;
import social.feed.table.row.Visibility;
import social.feed.testkit.fault.Hook;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/**
 * Two planners that cut the audience of one post at the same time. Redrives and replays do not keep
 * the order in which the lane applies the changes of a post. Each test also runs with its bug
 * planted.
 */
class ITPlannerRaces extends HandlerRaces {
  private static final long EXPIRY = Long.MAX_VALUE / 10;

  private String ann = "";
  private List<String> followers = List.of();

  private Post postWithAudience() {
    ann = user("ann");
    followers = Stream.of("b", "c", "d", "e", "f").map(this::user).toList();
    followers.forEach(follower -> follow(follower, ann));
    return post(ann, Visibility.PUBLIC, ann);
  }

  private FanOutChunk chunk(Post post, int number, int from, int to) {
    return chunk(post, number, from, to, EXPIRY);
  }

  private FanOutChunk chunk(Post post, int number, int from, int to, long expiresAt) {
    return FanOutChunk.of(
        post, number, followers.get(from), followers.get(to), to - from + 1, expiresAt);
  }

  private static Hook before(Class<? extends Row> put, Runnable action) {
    return new Hook(
        request -> request instanceof PutItemRequest write && isA(put, write.item()), action);
  }

  /** The followers in no chunk. */
  private List<String> unreached(Post post) {
    var chunks = rows(FanOutChunk.class, row -> row.postId().equals(post.postId()));
    return followers.stream()
        .filter(id -> chunks.stream().noneMatch(chunk -> chunk.reaches(id)))
        .toList();
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

  /** Another planner stores a chunk right before this one stores its first. */
  private List<String> unreachedNextTo(Wire bug, int number, int from, int to) {
    var post = postWithAudience();
    var hook =
        before(FanOutChunk.class, () -> new FanOuts(table).add(chunk(post, number, from, to)));
    apply(bug, hook, FanOut.class, post);
    return unreached(post);
  }

  /** The post was hidden and is shown again, so the first planner's chunks are delivered again. */
  @ParameterizedTest
  @EnumSource
  void plannerOfAForgottenFanOut_takesNoFollowerFromTheNextOne(LateWrite late) {
    long expiresAt = clock.instant().plus(Retention.FAN_OUT_PLANS).getEpochSecond();
    assertThat(unreachedAfterAForget(late, Wire.SOUND, expiresAt)).isEmpty();
    assertThat(unreachedAfterAForget(late, late.bug, expiresAt)).isNotEmpty();
  }

  /** As after a lost answer: the next one has begun, and takes its plan for one begun before. */
  @Test
  void plannerOfAForgottenFanOut_takesNoFollowerFromTheNextOne_whichFindsItsOwnPlan() {
    assertThat(unreachedAfterAForget(LateWrite.CHUNK, new PlantedWires.FoundPlans(), EXPIRY))
        .isEmpty();
  }

  /** Its dead letter came in the middle of the audience, and is redriven. */
  @Test
  void failedFanOut_goesOnBehindItsLastChunk() {
    var post = postWithAudience();
    var planner = new FanOuts(table);
    planner.begin(FanOutPlan.begun(post.postId(), clock.instant(), EXPIRY));
    planner.add(chunk(post, 0, 0, 1));
    var later = clock.instant().plusSeconds(60);
    planner.fail(FanOutPlan.begun(post.postId(), later, EXPIRY + 60).failed(later));

    apply(Wire.SOUND, before(FanOutChunk.class, () -> {}), FanOut.class, post);

    var chunks = rows(FanOutChunk.class, row -> row.postId().equals(post.postId()));
    assertThat(followers)
        .allSatisfy(id -> assertThat(chunks).filteredOn(chunk -> chunk.reaches(id)).hasSize(1));
  }

  /** What the first planner writes after its fan-out was forgotten, and a bug that it meets. */
  private enum LateWrite {
    CHUNK(new PlantedWires.FoundPlans()) {
      @Override
      void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last) {
        planner.add(last);
      }
    },
    END(new PlantedWires.UnconditionalPlans()) {
      @Override
      void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last) {
        planner.complete(forgotten.planned(last.number() + 1, forgotten.startedAt()));
      }
    };

    private final Wire bug;

    LateWrite(Wire bug) {
      this.bug = bug;
    }

    abstract void write(FanOuts planner, FanOutPlan forgotten, FanOutChunk last);
  }

  /** The change of the post has forgotten the fan-out, and is about to begin the next one. */
  private List<String> unreachedAfterAForget(LateWrite late, Wire bug, long expiresAt) {
    var post = postWithAudience();
    var planner = new FanOuts(engine.over(bug));
    var forgotten = FanOutPlan.begun(post.postId(), clock.instant(), expiresAt);
    assertThat(planner.begin(forgotten).plan()).isEqualTo(forgotten);
    planner.add(chunk(post, 0, 0, 1, expiresAt));
    planner.add(chunk(post, 1, 2, 3, expiresAt));
    var posts = new Posts(table);
    var hidden = posts.changeVisibility(post.postId(), ann, Visibility.PRIVATE).orElseThrow();
    var shown = posts.changeVisibility(post.postId(), ann, Visibility.PUBLIC).orElseThrow();
    var hook =
        before(
            FanOutPlan.class,
            () -> late.write(planner, forgotten, chunk(post, 2, 4, 4, expiresAt)));
    apply(bug, hook, ChangeVisibility.class, new Change.Modified(hidden, shown));
    return unreached(post);
  }
}
