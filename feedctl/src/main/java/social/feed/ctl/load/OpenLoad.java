package social.feed.ctl.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Sends requests at times that are chosen before the run, however long the answers take: an open
 * load. The latency of a request counts from its intended time, so a stall of the server shows in
 * every request that should have been sent meanwhile. The service time counts from the time at
 * which it was sent.
 *
 * <p>At most {@link Settings#inFlight} requests run at once, each on a virtual thread. A request
 * that finds no free place waits for one and is late; its intended time stays. One that finds none
 * until {@link Settings#patience} after the end is counted as unsent. All figures are in memory:
 * some hundred kilobytes for each label, and some megabytes for the course of the run.
 */
public final class OpenLoad {
  /** The code of a request that had no answer when the patience ended. */
  public static final String UNANSWERED = "unanswered";

  /** A request that is sent later than this after its intended time is late. */
  public static final Duration LATE = Duration.ofMillis(10);

  private static final int MAX_SLICES = 120;
  private static final int DIGITS = 3;

  /** Enough for a plot. */
  private static final int DIGITS_OF_SLICE = 2;

  private static final Duration STEP = Duration.ofMillis(50);

  private final Settings settings;
  private final Iterator<Request> requests;
  private final Samples samples;
  private final Semaphore places;
  private final Set<Flight> flying = ConcurrentHashMap.newKeySet();
  private volatile long start;
  private volatile boolean stopped;

  /**
   * Creates a load, which runs once.
   *
   * @param requests the requests in the order of their intended times; asked on the thread that
   *     runs the load, so it must be quick. The load ends when there is none left
   */
  public OpenLoad(Settings settings, Iterator<Request> requests) {
    this.settings = settings;
    this.requests = requests;
    this.samples = new Samples(settings.duration());
    this.places = new Semaphore(settings.inFlight());
  }

  /** The gaps between the intended times of two requests. */
  public enum Arrivals {
    /** All gaps are equal. */
    EVEN,
    /** The gaps are those of independent callers: exponentially distributed. */
    POISSON
  }

  /**
   * A request of the load.
   *
   * @param label the group in which it is counted; few labels should exist
   */
  public record Request(String label, Sending sending) {}

  /** Sends a request. */
  @FunctionalInterface
  public interface Sending {
    /**
     * Sends the request and waits for the answer.
     *
     * @param late nanoseconds since its intended time
     * @return its code, such as "200"
     * @throws Exception counts as a code with the name of its class
     */
    String send(long late) throws Exception;
  }

  /**
   * The schedule and the bounds of a load.
   *
   * @param perSecond the average number of requests a second
   * @param seed the same seed gives the same intended times
   * @param duration the time in which requests are scheduled
   * @param requests the most requests that are scheduled
   * @param inFlight the most requests that are sent and not answered
   * @param patience how long requests are sent late after the end, and how long answers are awaited
   *     after the last request was sent
   */
  public record Settings(
      double perSecond,
      Arrivals arrivals,
      long seed,
      Duration duration,
      long requests,
      int inFlight,
      Duration patience) {

    public Settings {
      if (!(perSecond > 0) || !duration.isPositive() || requests < 1 || inFlight < 1) {
        throw new IllegalArgumentException(
            "Rate, duration, requests and requests in flight must be more than 0");
      }
    }

    /** Returns a Poisson schedule with at most 256 requests in flight and 10 s of patience. */
    public static Settings poisson(double perSecond, Duration duration, long seed) {
      return new Settings(
          perSecond, Arrivals.POISSON, seed, duration, Long.MAX_VALUE, 256, Duration.ofSeconds(10));
    }

    /** Returns the intended times in nanoseconds after the start, without end. */
    LongSupplier times() {
      // The algorithm of this generator is specified, so a schedule is the same on every JDK.
      var random = new Random(seed);
      double gap = TimeUnit.SECONDS.toNanos(1) / perSecond;
      return new LongSupplier() {
        private double at;

        @Override
        public long getAsLong() {
          at +=
              switch (arrivals) {
                case EVEN -> gap;
                case POISSON -> -StrictMath.log(1 - random.nextDouble()) * gap;
              };
          return (long) at;
        }
      };
    }
  }

  /**
   * The results of the requests with one label. Times are in nanoseconds.
   *
   * @param latency from the intended time to the answer
   * @param service from the time of sending to the answer
   * @param codes the number of requests by code
   */
  public record Group(Histogram latency, Histogram service, Map<String, Long> codes) {}

  /**
   * The requests with an intended time in one part of the run.
   *
   * @param from the beginning of the part, after the start of the run
   * @param latency from the intended time to the answer, in nanoseconds
   * @param codes the number of requests by code
   */
  public record Slice(Duration from, Histogram latency, Map<String, Long> codes) {}

  /**
   * The results of a load. Every scheduled request is either unsent or counted in exactly one group
   * and slice.
   *
   * @param elapsed from the start to the last answer
   * @param sending from the start to the end of the schedule, or to the last request that was sent
   *     after it
   * @param scheduled requests whose intended time came before the end of the run
   * @param unsent requests that found no free place in time
   * @param delay from the intended time to the time of sending, in nanoseconds
   * @param groups the results by label, in alphabetical order
   * @param slices at most 120 equal parts of the run, of a second or more
   */
  public record Result(
      Duration elapsed,
      Duration sending,
      long scheduled,
      long unsent,
      Histogram delay,
      Map<String, Group> groups,
      List<Slice> slices) {

    /** Returns the number of requests that were sent {@link #LATE} or were not sent at all. */
    public long late() {
      long limit = LATE.toNanos();
      return unsent
          + (delay.getMaxValue() <= limit
              ? 0
              : delay.getCountBetweenValues(limit, delay.getMaxValue()));
    }

    /** Returns the latencies of all requests. */
    public Histogram latency() {
      var all = new Histogram(DIGITS);
      groups.values().forEach(group -> all.add(group.latency()));
      return all;
    }

    /** Returns the number of requests by code. */
    public Map<String, Long> codes() {
      var all = new TreeMap<String, Long>();
      groups
          .values()
          .forEach(group -> group.codes().forEach((code, n) -> all.merge(code, n, Long::sum)));
      return all;
    }
  }

  /**
   * The state of a running load.
   *
   * @param elapsed since the start
   * @param sent requests that were sent so far
   * @param ended requests that ended so far, with an answer or without
   * @param latency latencies of the requests that ended since the previous call
   * @param codes the number of requests by code so far
   */
  public record Progress(
      Duration elapsed, long sent, long ended, Histogram latency, Map<String, Long> codes) {
    /** Returns the number of requests that are sent and have not ended. */
    public long inFlight() {
      return sent - ended;
    }
  }

  /** Returns how many requests got an answer, with any status, of their number by code. */
  static long answered(Map<String, Long> codes) {
    return codes.entrySet().stream()
        .filter(code -> Character.isDigit(code.getKey().charAt(0)))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /**
   * Runs the load and returns when every request is answered, at the latest twice {@link
   * Settings#patience} after its end.
   */
  public Result run() {
    start = System.nanoTime();
    long end = settings.duration().toNanos();
    var times = settings.times();
    long due = times.getAsLong();
    long scheduled = 0;
    long unsent = 0;
    while (!stopped && due < end && scheduled < settings.requests() && requests.hasNext()) {
      awaitTime(due);
      if (stopped) {
        break;
      }
      scheduled++;
      if (awaitPlace(end + settings.patience().toNanos())) {
        send(requests.next(), due);
      } else {
        unsent++;
      }
      due = times.getAsLong();
    }
    for (long stop = System.nanoTime() - start;
        stopped && due < Math.min(stop, end) && scheduled < settings.requests();
        due = times.getAsLong()) {
      scheduled++;
      unsent++;
    }
    long now = System.nanoTime() - start;
    long last = due < end ? Math.min(now, end) : end;
    land();
    return samples.result(
        Duration.ofNanos(System.nanoTime() - start), Duration.ofNanos(last), scheduled, unsent);
  }

  /** Ends the schedule now. The running requests are awaited. Callable from any thread. */
  public void stop() {
    stopped = true;
  }

  /** Returns the state of the running load. Callable from any thread. */
  public Progress progress() {
    return samples.progress(Duration.ofNanos(start == 0 ? 0 : System.nanoTime() - start));
  }

  private void awaitTime(long due) {
    for (long left = due - (System.nanoTime() - start);
        left > 0 && !stopped;
        left = due - (System.nanoTime() - start)) {
      LockSupport.parkNanos(Math.min(left, STEP.toNanos()));
    }
  }

  /** Returns whether there was a free place before a time after the start, and takes it. */
  private boolean awaitPlace(long latest) {
    try {
      while (!stopped) {
        long left = latest - (System.nanoTime() - start);
        if (places.tryAcquire(Math.clamp(left, 0, STEP.toNanos()), TimeUnit.NANOSECONDS)) {
          return true;
        }
        if (left <= 0) {
          return false;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopped = true;
    }
    return false;
  }

  private void send(Request request, long due) {
    var flight = new Flight(request, due);
    flying.add(flight);
    samples.sent();
    flight.thread.start();
  }

  /** Waits for the answers. A request that has none in time counts as unanswered. */
  private void land() {
    try {
      var _ =
          places.tryAcquire(
              settings.inFlight(), settings.patience().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (var flight : flying) {
      flight.end(UNANSWERED);
      flight.thread.interrupt();
    }
  }

  /** A request that is being sent. */
  private final class Flight {
    private final Request request;
    private final long due;
    private final Thread thread = Thread.ofVirtual().unstarted(this::fly);
    private boolean hasEnded;
    private volatile long sentAt;

    private Flight(Request request, long due) {
      this.request = request;
      this.due = due;
    }

    private void fly() {
      sentAt = System.nanoTime() - start;
      String code;
      try {
        code = request.sending().send(sentAt - due);
      } catch (Exception | Error e) {
        code = e.getClass().getSimpleName();
      }
      end(code);
    }

    /** Counts the request, once. It is counted when this returns, whichever thread did it. */
    private void end(String code) {
      synchronized (samples) {
        if (hasEnded) {
          return;
        }
        hasEnded = true;
        long now = System.nanoTime() - start;
        samples.add(request.label(), code, due, sentAt == 0 ? now : sentAt, now);
      }
      flying.remove(this);
      places.release();
    }
  }

  /** The figures of a run. */
  private static final class Samples {
    private final Map<String, Group> groups = new TreeMap<>();
    private final List<Slice> slices = new ArrayList<>();
    private final long sliceNanos;
    private final Histogram delay = new Histogram(DIGITS);
    private final Map<String, Long> codes = new TreeMap<>();
    private Histogram recent = new Histogram(DIGITS);
    private long sent;
    private long ended;
    private long lastSentAt;

    private Samples(Duration duration) {
      long second = TimeUnit.SECONDS.toNanos(1);
      this.sliceNanos = Math.ceilDiv(Math.ceilDiv(duration.toNanos(), MAX_SLICES), second) * second;
    }

    private synchronized void sent() {
      sent++;
    }

    private synchronized void add(String label, String code, long due, long sentAt, long now) {
      long latency = Math.max(0, now - due);
      var group =
          groups.computeIfAbsent(
              label, _ -> new Group(new Histogram(DIGITS), new Histogram(DIGITS), new TreeMap<>()));
      group.latency().recordValue(latency);
      group.service().recordValue(Math.max(0, now - sentAt));
      group.codes().merge(code, 1L, Long::sum);
      var slice = slice((int) (due / sliceNanos));
      slice.latency().recordValue(latency);
      slice.codes().merge(code, 1L, Long::sum);
      delay.recordValue(Math.max(0, sentAt - due));
      lastSentAt = Math.max(lastSentAt, sentAt);
      codes.merge(code, 1L, Long::sum);
      recent.recordValue(latency);
      ended++;
    }

    private Slice slice(int number) {
      while (slices.size() <= number) {
        slices.add(
            new Slice(
                Duration.ofNanos(sliceNanos * slices.size()),
                new Histogram(DIGITS_OF_SLICE),
                new TreeMap<>()));
      }
      return slices.get(number);
    }

    private synchronized Progress progress(Duration elapsed) {
      var latency = recent;
      recent = new Histogram(DIGITS);
      return new Progress(elapsed, sent, ended, latency, new TreeMap<>(codes));
    }

    private synchronized Result result(
        Duration elapsed, Duration schedule, long scheduled, long unsent) {
      return new Result(
          elapsed,
          Duration.ofNanos(Math.max(schedule.toNanos(), lastSentAt)),
          scheduled,
          unsent,
          delay,
          new TreeMap<>(groups),
          List.copyOf(slices));
    }
  }
}
