package social.feed.ctl.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import social.feed.ctl.load.OpenLoad.Arrivals;
import social.feed.ctl.load.OpenLoad.Request;
import social.feed.ctl.load.OpenLoad.Settings;

class OpenLoadTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private static Settings settings(double perSecond, long requests, int inFlight, Duration wait) {
    return new Settings(perSecond, Arrivals.EVEN, 1, LONG, requests, inFlight, wait);
  }

  private static Iterator<Request> requests(IntFunction<Callable<String>> send) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> new Request("all", _ -> send.apply(i).call()))
        .iterator();
  }

  private static long[] times(long seed, Arrivals arrivals, int count) {
    var times = new Settings(100, arrivals, seed, LONG, 1, 1, LONG).times();
    return LongStream.generate(times).limit(count).toArray();
  }

  @Test
  void schedule_isThatOfItsSeed_andHasTheRate() {
    assertThat(times(7, Arrivals.POISSON, 10_000)).isEqualTo(times(7, Arrivals.POISSON, 10_000));
    assertThat(times(7, Arrivals.POISSON, 10)).isNotEqualTo(times(8, Arrivals.POISSON, 10));
    assertThat(times(7, Arrivals.POISSON, 10_000)[9_999])
        .isBetween(97_000_000_000L, 103_000_000_000L);
    assertThat(times(7, Arrivals.EVEN, 3)).containsExactly(10_000_000, 20_000_000, 30_000_000);
  }

  /** A closed loop would count the stall once, and show nothing at the 90th percentile. */
  @Test
  void stall_showsInEveryRequestThatShouldHaveBeenSentMeanwhile() {
    long stall = Duration.ofMillis(500).toNanos();
    var load =
        new OpenLoad(
            settings(200, 200, 1, LONG),
            requests(
                i ->
                    () -> {
                      long until = System.nanoTime() + stall;
                      while (i == 20 && System.nanoTime() < until) {
                        LockSupport.parkNanos(until - System.nanoTime());
                      }
                      return "ok";
                    }));

    var result = load.run();

    var all = Objects.requireNonNull(result.groups().get("all"));
    assertThat(result.scheduled()).isEqualTo(200);
    assertThat(result.unsent()).isZero();
    assertThat(all.codes()).isEqualTo(Map.of("ok", 200L));
    assertThat(all.latency().getValueAtPercentile(90))
        .as("100 requests were due during the stall")
        .isGreaterThan(stall / 2);
    assertThat(all.service().getValueAtPercentile(90))
        .as("one request was slow")
        .isLessThan(stall / 2);
    assertThat(result.delay().getMaxValue()).isGreaterThan(stall / 2);
    assertThat(result.late()).as("the schedule was not kept").isGreaterThan(50);
    assertThat(result.latency().getTotalCount()).isEqualTo(200);
    assertThat(result.slices().stream().mapToLong(s -> s.latency().getTotalCount()).sum())
        .isEqualTo(200);
  }

  /** An operator who looks for the beginning of a stall sees the requests that it held up. */
  @Test
  void course_hasEachRequestInTheSecondInWhichItWasDue() {
    var due = Duration.ofMillis(1_100);
    long start = System.nanoTime();
    var load =
        new OpenLoad(
            settings(20, 20, 1, LONG),
            requests(
                _ ->
                    () -> {
                      long until = start + due.toNanos();
                      while (System.nanoTime() < until) {
                        LockSupport.parkNanos(until - System.nanoTime());
                      }
                      return "ok";
                    }));

    var course = load.run().slices();

    assertThat(course.stream().map(slice -> slice.latency().getTotalCount()))
        .containsExactly(19L, 1L);
  }

  @Test
  void codes_areCountedByLabel_andExceptionsByTheirClass() {
    var requests =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    new Request(
                        i < 10 ? "reads" : "writes",
                        _ -> {
                          if (i % 3 == 0) {
                            throw new IOException("planted");
                          }
                          return i % 3 == 1 ? "200" : "503";
                        }))
            .iterator();

    var result = new OpenLoad(settings(2_000, 100, 8, LONG), requests).run();

    assertThat(result.scheduled()).as("there are no more").isEqualTo(30);
    assertThat(Objects.requireNonNull(result.groups().get("reads")).codes())
        .isEqualTo(Map.of("200", 3L, "503", 3L, "IOException", 4L));
    assertThat(Objects.requireNonNull(result.groups().get("writes")).codes())
        .isEqualTo(Map.of("200", 7L, "503", 7L, "IOException", 6L));
    assertThat(result.codes()).isEqualTo(Map.of("200", 10L, "503", 10L, "IOException", 10L));
  }

  @Test
  void requestsWithoutAnswer_endWithThePatience_andNoneIsLost() {
    var never = new CountDownLatch(1);
    var interrupted = new CountDownLatch(2);
    var load =
        new OpenLoad(
            new Settings(
                100, Arrivals.EVEN, 1, Duration.ofMillis(105), 100, 2, Duration.ofMillis(20)),
            requests(
                _ ->
                    () -> {
                      try {
                        never.await();
                      } finally {
                        interrupted.countDown();
                      }
                      return "never";
                    }));

    var result = load.run();

    assertThat(result.scheduled()).isEqualTo(10);
    assertThat(result.unsent()).isEqualTo(8);
    assertThat(result.sending()).isEqualTo(Duration.ofMillis(105));
    assertThat(result.late()).isGreaterThanOrEqualTo(8);
    assertThat(result.codes()).isEqualTo(Map.of(OpenLoad.UNANSWERED, 2L));
    assertThat(awaited(interrupted)).isTrue();
  }

  @Test
  void stop_endsTheSchedule_andAwaitsTheRunningRequests() {
    var first = new CountDownLatch(1);
    var sent = new AtomicInteger();
    var load =
        new OpenLoad(
            settings(1_000, 100_000, 4, LONG),
            requests(
                _ ->
                    () -> {
                      sent.incrementAndGet();
                      first.countDown();
                      return "ok";
                    }));
    Thread.ofVirtual()
        .start(
            () -> {
              if (awaited(first)) {
                load.stop();
              }
            });

    var result = load.run();

    assertThat(result.scheduled()).isLessThan(60_000);
    assertThat(result.codes()).isEqualTo(Map.of("ok", (long) sent.get()));
    assertThat(result.scheduled() - result.unsent()).isEqualTo(sent.get());
    var progress = load.progress();
    assertThat(progress.ended()).isEqualTo(sent.get());
    assertThat(progress.inFlight()).isZero();
    assertThat(progress.latency().getTotalCount()).isEqualTo(sent.get());
    assertThat(load.progress().latency().getTotalCount()).as("since the call before").isZero();
  }

  @Test
  void settingsOutOfBounds_areRejected() {
    assertThatThrownBy(() -> settings(0, 1, 1, LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settings(1, 0, 1, LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settings(1, 1, 0, LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Settings.poisson(1, Duration.ZERO, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
