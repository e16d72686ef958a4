package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SteppingClock;

/**
 * The users of a {@link Flow}, its latest post and comment, and the steps that several flows share.
 */
final class FlowContext {
  private static final Duration ABSENT = FeedActivity.LEFT_OUT_AFTER.plusDays(1);

  private final World world;
  private final SteppingClock clock;
  final SimulatedUsers users;
  final String ann;
  final String bob;
  final String cid;
  @Nullable Post latestPost;
  @Nullable Comment latestComment;

  FlowContext(World world, SteppingClock clock) {
    this.world = world;
    this.clock = clock;
    this.users = world.users;
    world.register("ann", "bob", "cid", "dot", "eve", "fay");
    this.ann = users.ids().get(0);
    this.bob = users.ids().get(1);
    this.cid = users.ids().get(2);
  }

  /** Lets a number of users follow ann. */
  void addFollowers(int followers) {
    users.ids().subList(1, 1 + followers).forEach(id -> users.follows(id, ann));
  }

  /** Lets a number of users follow ann specially. */
  void addSpecialFollowers(int followers) {
    addFollowers(followers);
    users.ids().subList(1, 1 + followers).forEach(id -> users.followsSpecially(id, ann));
  }

  void annPosts() {
    latestPost = users.posts(ann, Visibility.PUBLIC, bob);
  }

  Post latestPost() {
    return requireNonNull(latestPost);
  }

  Comment latestComment() {
    return requireNonNull(latestComment);
  }

  /** Advances the clock so far that fan-out skips readers who do not read. */
  void passWeeks() {
    clock.advance(ABSENT);
  }

  /** Delivers all records of the stream. */
  void settle() {
    world.settle();
  }

  /** Erases an account, with all sweeps that it takes. */
  void erase(String user) {
    users.erases(user);
    world.settle();
    world.endErasure(user);
  }

  /** Invokes the function again with each delivered record, as a redrive of dead letters does. */
  void redriveAll() {
    world.effects.redriveAll();
  }
}
