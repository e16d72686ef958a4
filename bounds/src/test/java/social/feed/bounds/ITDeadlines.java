package social.feed.bounds;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import social.feed.streams.Failures;
import social.feed.streams.effect.GrantErasuresHandler.GrantErasures;
import social.feed.table.erasure.ErasureQueue;
import social.feed.table.row.FollowQuota;
import social.feed.table.row.RowKind;

/**
 * Each kind of effect in invocations that may begin no call, one call and more, until it is done.
 * An effect that was refused a call fails so that its record comes again, and what it has written
 * in the end is what it writes in one invocation.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ITDeadlines {
  private final MeasuredWorld world = MeasuredWorld.small();
  private final MeasuredWorld undisturbed = MeasuredWorld.small();

  /** The calls that an invocation may still begin, as milliseconds. */
  private static final class CallsLeft implements IntSupplier {
    private final AtomicInteger left;

    /** The invocation asks once for the time that it has. */
    CallsLeft(int calls) {
      left = new AtomicInteger(calls + 1);
    }

    @Override
    public int getAsInt() {
      return left.decrementAndGet();
    }

    int refused() {
      return Math.max(0, -left.get());
    }
  }

  @AfterAll
  void stop() {
    world.close();
    undisturbed.close();
  }

  static List<Operation> effects() {
    return Effects.ofPlan();
  }

  @ParameterizedTest
  @MethodSource("effects")
  void effect_stoppedAtAnyCall_comesAgain_andEndsAsOneThatWasNot(Operation effect) {
    var expected = changes(undisturbed, effect, Runnable::run);

    assertThat(changes(world, effect, calls -> untilDone(world, calls))).isEqualTo(expected);
  }

  @Test
  void effect_thatGoesOnAfterARefusedCall_isFoundOut() {
    Runnable careless =
        () -> {
          try {
            world.laneTable().get(FollowQuota.key(Population.SUBJECT));
          } catch (RuntimeException _) {
            // The mistake.
          }
        };

    assertThatThrownBy(() -> untilDone(world, careless))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("done, although a call was refused");
  }

  /** Runs an effect in invocations, each of which may begin more calls than the one before. */
  private static void untilDone(MeasuredWorld world, Runnable effect) {
    boolean isDone = false;
    for (int calls = 0; !isDone; calls += 1 + calls / 4) {
      var left = new CallsLeft(calls);
      isDone = world.deadline().run(left, () -> isDone(effect));
      assertThat(isDone && left.refused() > 0).as("done, although a call was refused").isFalse();
    }
  }

  private static boolean isDone(Runnable effect) {
    try {
      effect.run();
      return true;
    } catch (RuntimeException e) {
      assertThat(Failures.isRetryable(e)).as("%s comes again", e).isTrue();
      return false;
    }
  }

  /** Returns how many rows of each kind an effect adds or removes. */
  private static Map<RowKind, Long> changes(
      MeasuredWorld world, Operation effect, Consumer<Runnable> run) {
    world.reset();
    var calls = effect.run().in(world);
    var before = rows(world);
    run.accept(calls);
    grantAll(world);
    var changes = rows(world);
    before.forEach((kind, rows) -> changes.merge(kind, -rows, Long::sum));
    changes.values().removeIf(change -> change == 0);
    return changes;
  }

  /**
   * An order of grants that is cut off goes on with the record of the clock that it has changed.
   */
  private static void grantAll(MeasuredWorld world) {
    var queue = new ErasureQueue(world.table().table());
    for (var clock = queue.current(); clock.isRunning(); clock = queue.current()) {
      world.handlers().apply(List.of(new GrantErasures(clock.revision())));
    }
  }

  /** Without the notes of deliveries, which have the minute of each attempt. */
  private static Map<RowKind, Long> rows(MeasuredWorld world) {
    return world
        .table()
        .client()
        .scanPaginator(scan -> scan.tableName(world.table().table().name()))
        .items()
        .stream()
        .map(item -> RowKind.named(requireNonNull(item.get(RowKind.ATTRIBUTE)).s()).orElseThrow())
        .filter(kind -> kind != RowKind.RECENT_DELIVERY)
        .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()));
  }
}
