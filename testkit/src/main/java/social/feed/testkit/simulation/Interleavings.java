package social.feed.testkit.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import social.feed.table.row.Visibility;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.CrashPoint.Crash;
import social.feed.testkit.fault.Wire;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/**
 * Runs a flow once for each call of its function. Right before that call another user action
 * happens, with all its effects, as in a second function that overtakes the first. Then everything
 * is delivered, and the table is compared with the model. So two handlers that work on the same
 * items meet in every order in which one of them runs as a whole. The process may also die right
 * after that call, so that another attempt follows the action.
 */
public final class Interleavings {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /** Gives every run the same order of steps. */
  private static final long SEED = 42;

  /** The other action's records are delivered while a batch runs, which needs tracks of its own. */
  private static final int TRACKS = 64;

  private final StreamedTable table;
  private final Subject subject;
  private int worlds;

  /** The action of a user in the middle of a flow. */
  @SuppressWarnings("ImmutableEnumChecker") // The lambdas have no state.
  public enum Meanwhile {
    FOLLOW(context -> context.users.follows(context.bob, context.ann)),
    UNFOLLOW(context -> context.users.unfollows(context.bob, context.ann)),
    UNFOLLOW_AND_FOLLOW(
        context -> {
          context.users.unfollows(context.bob, context.ann);
          context.users.follows(context.bob, context.ann);
        }),
    END_SPECIAL_FOLLOW(context -> context.users.unfollowsSpecially(context.bob, context.ann)),
    BLOCK(context -> context.users.blocks(context.ann, context.bob)),
    MUTE(context -> context.users.mutes(context.bob, context.ann)),
    LIKE(context -> context.users.likes(context.bob, context.latestPost())),
    UNLIKE(context -> context.users.unlikes(context.bob, context.latestPost())),
    COMMENT(context -> context.users.comments(context.bob, context.latestPost())),
    /** Another post of the same author than that of the flow. */
    POST(context -> context.users.posts(context.ann, Visibility.PUBLIC, context.cid)),
    READ_ALL_NOTIFICATIONS(context -> context.users.readsAllNotifications(context.ann)),
    HIDE(context -> context.users.changesVisibility(context.latestPost(), Visibility.PRIVATE)),
    SHOW(context -> context.users.changesVisibility(context.latestPost(), Visibility.PUBLIC)),
    DELETE(context -> context.users.deletes(context.latestPost())),
    /** Begins; the sweeps follow when all else has settled. */
    ERASE_FOLLOWER(context -> context.users.erases(context.bob)),
    ERASE_AUTHOR(context -> context.users.erases(context.ann));

    private final Consumer<FlowContext> act;

    Meanwhile(Consumer<FlowContext> act) {
      this.act = act;
    }
  }

  /** What becomes of the process after the call that the other action came before. */
  public enum Then {
    GOES_ON,
    DIES
  }

  /**
   * The result of a flow and another action.
   *
   * @param calls the number of calls of the flow
   * @param violations the differences between the table and the model
   */
  public record SweepResult(Flow flow, Meanwhile meanwhile, int calls, List<String> violations) {
    public SweepResult {
      violations = List.copyOf(violations);
    }
  }

  public Interleavings(StreamedTable table, Subject subject) {
    this.table = table;
    this.subject = subject;
  }

  /**
   * Runs a flow without another action, and then with it before some of its calls, which are evenly
   * spread. Where these are not all calls, other actions meet the flow at other ones.
   *
   * @param then what becomes of the process that made the call
   * @param most the most calls before which the action happens
   */
  public SweepResult sweep(Flow flow, Meanwhile meanwhile, Then then, int most) {
    var alone = new Preemption(Integer.MAX_VALUE, then);
    var violations = new ArrayList<>(violations(flow, meanwhile, alone));
    int every = Math.max(1, Math.ceilDiv(alone.calls, most));
    for (int at = 1 + meanwhile.ordinal() % every; at <= alone.calls; at += every) {
      violations.addAll(violations(flow, meanwhile, new Preemption(at, then)));
    }
    return new SweepResult(flow, meanwhile, alone.calls, violations);
  }

  /**
   * Runs a flow with another action before each of its calls, one after the other, until the end is
   * wrong.
   *
   * @param then what becomes of the process that made the call
   * @return the differences between the table and the model; empty where no call leads to any
   */
  public List<String> firstViolations(Flow flow, Meanwhile meanwhile, Then then) {
    for (int at = 1; ; at++) {
      var preemption = new Preemption(at, then);
      var violations = violations(flow, meanwhile, preemption);
      if (!violations.isEmpty() || !preemption.happened) {
        return violations;
      }
    }
  }

  private List<String> violations(Flow flow, Meanwhile meanwhile, Preemption preemption) {
    var clock = new SteppingClock(START);
    int number = ++worlds;
    var small = flow.scale();
    var world =
        new World(
            "i" + number,
            table,
            subject,
            clock,
            new SplittableRandom(SEED),
            preemption,
            Wire.SOUND,
            preemption::restart,
            new HistoryLog(),
            // The runs share a table, so each needs its own ids.
            new SplittableRandom(SEED + number),
            new Scale(
                small.newest(), small.celebrityFrom(), small.chunk(), small.feedShards(), TRACKS),
            2);
    world.counts.becomeReliable();
    world.effects.becomeReliable();
    var context = new FlowContext(world, clock);
    flow.prepare(context);
    world.settle();
    preemption.arm(
        () -> {
          meanwhile.act.accept(context);
          world.catchUp();
        });
    flow.act(context);
    world.settle();
    world.endErasures();
    var violations = new ArrayList<>(world.violations());
    preemption.failure.map(e -> "the other action fails: " + e).ifPresent(violations::add);
    table.forget();
    return violations.stream()
        .map(
            violation ->
                "%s before call %d of %s, which %s: %s"
                    .formatted(meanwhile, preemption.at, flow, preemption.then, violation))
        .toList();
  }

  /** Runs something once, before a call. Then the process may die after the call. */
  private static final class Preemption implements Wire {
    private final int at;
    private final Then then;
    private Optional<Runnable> during = Optional.empty();
    private int calls;
    private boolean happened;
    private boolean isDown;

    /** The function would pass for one that failed, and its batch would come again. */
    private Optional<RuntimeException> failure = Optional.empty();

    /**
     * @param at the number of the call, from 1
     */
    Preemption(int at, Then then) {
      this.at = at;
      this.then = then;
    }

    @Override
    public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> answer) {
      if (isDown) {
        throw new Crash("Dead already");
      }
      if (during.isEmpty() || happened || ++calls != at) {
        return answer.apply(request);
      }
      happened = true;
      try {
        during.get().run();
      } catch (RuntimeException e) {
        failure = Optional.of(e);
      }
      var answered = answer.apply(request);
      if (then == Then.DIES) {
        isDown = true;
        throw new Crash("After call " + at);
      }
      return answered;
    }

    /** Starts a replacement process. */
    void restart() {
      isDown = false;
    }

    /** Counts calls from now on. */
    void arm(Runnable action) {
      during = Optional.of(action);
    }
  }
}
