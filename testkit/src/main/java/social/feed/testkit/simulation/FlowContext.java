package social.feed.testkit.simulation;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Comment;
import social.feed.table.row.FeedActivity;
import social.feed.table.row.Post;
import social.feed.table.row.Visibility;
import social.feed.testkit.SteppingClock;

/** Whoever plays a part in a {@link Flow}, and what is on the stage. */
final class FlowContext {
  private static final Duration ABSENT = FeedActivity.LEFT_OUT_AFTER.plusDays(1);

  private final World world;
  private final SteppingClock clock;
  final SimulatedUsers people;
  final String ann;
  final String bob;
  @Nullable Post anns;
  @Nullable Comment comment;

  FlowContext(World world, SteppingClock clock) {
    this.world = world;
    this.clock = clock;
    this.people = world.people;
    world.register("ann", "bob", "cid", "dot", "eve", "fay");
    this.ann = people.ids().get(0);
    this.bob = people.ids().get(1);
  }

  /** So many follow the author. */
  void audience(int followers) {
    people.ids().subList(1, 1 + followers).forEach(id -> people.follows(id, ann));
  }

  /** So many follow the author specially. */
  void special(int followers) {
    audience(followers);
    people.ids().subList(1, 1 + followers).forEach(id -> people.marks(id, ann));
  }

  void post() {
    anns = people.posts(ann, Visibility.PUBLIC, bob);
  }

  Post anns() {
    return requireNonNull(anns);
  }

  Comment comment() {
    return requireNonNull(comment);
  }

  /** Long enough not to be delivered to. */
  void isAwayForWeeks() {
    clock.advance(ABSENT);
  }

  /** Lets the stream bring what there is. */
  void settleABit() {
    world.settle();
  }

  /** Is erased, however many walks that takes. */
  void erase(String user) {
    people.erases(user);
    world.settle();
    world.endErasure(user);
  }

  /** Gives each record again to the function, as somebody who redrives dead letters. */
  void redriveAll() {
    world.effects.redriveAll();
  }
}
