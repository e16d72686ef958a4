package social.feed.testkit.fault;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import social.feed.testkit.fault.CloudTable.FunctionTimeout;

/**
 * A virtual clock and the actors that live by it. Exactly one actor runs at a time: the one whose
 * time comes next. An actor that sleeps costs no real time, so a day of a quiet system takes
 * milliseconds. The same actors in the same order give the same run.
 *
 * <p>An actor runs in a thread of its own and may start others. A thread that an actor starts is
 * part of the actor: it does not sleep, because the clock stands still until the actor goes on.
 */
public final class VirtualTime implements AutoCloseable {
  private static final long MICROS = 1_000;

  private final Instant origin;
  private final PriorityQueue<Wake> queue = new PriorityQueue<>();
  private final Set<Semaphore> parked = new LinkedHashSet<>();
  private final ThreadLocal<@Nullable Semaphore> current = new ThreadLocal<>();
  private final Semaphore idle = new Semaphore(0);
  private long now;
  private long order;
  private boolean isOver;
  private @Nullable Throwable failure;

  /** The time at which an actor goes on. */
  private record Wake(long at, long order, Semaphore turn) implements Comparable<Wake> {
    @Override
    public int compareTo(Wake other) {
      int byTime = Long.compare(at, other.at);
      return byTime == 0 ? Long.compare(order, other.order) : byTime;
    }
  }

  /** Ends an actor whose virtual time is closed. */
  private static final class Closed extends Error {
    private static final long serialVersionUID = 1L;

    private Closed() {
      super("The virtual time is closed", null, false, false);
    }
  }

  public VirtualTime(Instant origin) {
    this.origin = origin;
  }

  /** Returns the time that has passed. */
  public Duration passed() {
    return Duration.ofNanos(MICROS * now);
  }

  /** Returns the same time in microseconds. */
  long micros() {
    return now;
  }

  /** Returns the virtual time as a clock. */
  public Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return origin.plus(passed());
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("The virtual time is UTC");
      }
    };
  }

  /** Starts an actor after a delay. */
  public void start(Duration delay, Runnable body) {
    var turn = new Semaphore(0);
    enqueue(delay, turn);
    Thread.ofVirtual()
        .start(
            () -> {
              turn.acquireUninterruptibly();
              current.set(turn);
              try {
                if (!isOver) {
                  body.run();
                }
              } catch (Closed e) {
                // The end of an actor that would run on.
              } catch (Throwable e) {
                failure = e;
              } finally {
                idle.release();
              }
            });
  }

  /**
   * Runs tasks at once, each as an actor, and lets the calling actor go on when all have ended.
   * Throws the failure of one of them.
   */
  public void runTogether(List<? extends Runnable> tasks) {
    if (tasks.size() == 1) {
      tasks.getFirst().run();
      return;
    }
    var ended = new Signal();
    var failures = new ArrayList<Throwable>();
    int[] left = {tasks.size()};
    for (var task : tasks) {
      start(
          Duration.ZERO,
          () -> {
            try {
              task.run();
            } catch (RuntimeException | FunctionTimeout e) {
              failures.add(e);
            } finally {
              left[0]--;
              ended.give();
            }
          });
    }
    while (left[0] > 0) {
      ended.await();
    }
    for (var failure : failures) {
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }
  }

  /** Lets the calling actor go on after a while. */
  public void sleep(Duration duration) {
    var turn = current.get();
    if (turn != null) {
      enqueue(duration, turn);
      giveWay(turn);
    }
  }

  private void giveWay(Semaphore turn) {
    idle.release();
    turn.acquireUninterruptibly();
    if (isOver) {
      throw new Closed();
    }
  }

  private void enqueue(Duration delay, Semaphore turn) {
    queue.add(new Wake(now + delay.toNanos() / MICROS, order++, turn));
  }

  /** Runs all actors for a while. Called from outside of them. */
  public void run(Duration duration) {
    long end = now + duration.toNanos() / MICROS;
    while (!queue.isEmpty() && queue.peek().at <= end) {
      step();
    }
    now = end;
  }

  /**
   * Runs all actors until something is so, or until a time has passed. Called from outside of them.
   *
   * @return whether it is so
   */
  public boolean runUntil(BooleanSupplier isSo, Duration limit) {
    long end = now + limit.toNanos() / MICROS;
    while (!isSo.getAsBoolean() && !queue.isEmpty() && queue.peek().at <= end) {
      step();
    }
    return isSo.getAsBoolean();
  }

  private void step() {
    var next = queue.remove();
    now = next.at;
    next.turn.release();
    idle.acquireUninterruptibly();
    if (failure != null) {
      throw new IllegalStateException("An actor failed after " + passed(), failure);
    }
  }

  /** Ends all actors. */
  @Override
  public void close() {
    isOver = true;
    var all = new ArrayList<>(queue.stream().map(Wake::turn).toList());
    all.addAll(parked);
    for (var turn : all) {
      turn.release();
      idle.acquireUninterruptibly();
    }
  }

  /** Something that actors wait for. */
  public final class Signal {
    private final List<Semaphore> waiting = new ArrayList<>();

    /** Lets the calling actor wait until the signal is given; the cause may be gone by then. */
    public void await() {
      var turn = current.get();
      if (turn == null) {
        throw new IllegalStateException("Only an actor can wait");
      }
      waiting.add(turn);
      parked.add(turn);
      giveWay(turn);
    }

    /** Lets all that wait go on, in their order. */
    public void give() {
      for (var turn : waiting) {
        parked.remove(turn);
        enqueue(Duration.ZERO, turn);
      }
      waiting.clear();
    }
  }

  /** A number of slots that actors share, as a function's concurrency. */
  public final class Slots {
    private final Signal released = new Signal();
    private int free;

    public Slots(int free) {
      this.free = free;
    }

    /** Returns whether the next one who takes a slot must wait. */
    public boolean areTaken() {
      return free == 0;
    }

    /** Takes a slot, when there is one. */
    public void acquire() {
      while (free == 0) {
        released.await();
      }
      free--;
    }

    public void release() {
      free++;
      released.give();
    }
  }
}
