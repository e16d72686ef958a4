package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.kernel.page.Page;
import social.feed.table.row.FeedRef;

class OldPageLimiterTest {
  private static final Page<FeedRef> PAGE = new Page<>(List.of(), null, 0);

  private final OldPageLimiter limiter = new OldPageLimiter(Duration.ZERO);

  private void assertRefused(ProblemCode code, String readerId) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> limiter.admit(readerId, () -> PAGE))
        .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  @Test
  void reader_withAPageInProgress_isRefusedAnotherUntilItEnds() {
    limiter.admit(
        "ann",
        () -> {
          assertRefused(ProblemCode.RATE_LIMITED, "ann");
          assertThat(limiter.admit("bob", () -> PAGE)).isSameAs(PAGE);
          return PAGE;
        });

    assertThat(limiter.admit("ann", () -> PAGE)).isSameAs(PAGE);
  }

  @Test
  void page_waitsForTheOtherOneOfItsReader() throws Exception {
    var patient = new OldPageLimiter(Duration.ofMinutes(1));
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first =
          threads.submit(
              () ->
                  patient.admit(
                      "ann",
                      () -> {
                        begun.countDown();
                        awaitEnd(end);
                        return PAGE;
                      }));
      begun.await();
      var second = threads.submit(() -> patient.admit("ann", () -> PAGE));
      end.countDown();

      assertThat(first.get()).isSameAs(PAGE);
      assertThat(second.get()).isSameAs(PAGE);
    }
  }

  /** The place of one page goes to whom it helps, also where another one began to wait earlier. */
  @Test
  @Timeout(20)
  void page_thatEnds_makesRoomBehindAReaderWhoGoesOnWaiting() throws Exception {
    var patient = new OldPageLimiter(Duration.ofHours(1));
    var begun = new CountDownLatch(OldPageLimiter.AT_ONCE);
    var endOfAnn = new CountDownLatch(1);
    var endOfBob = new CountDownLatch(1);
    var endOfOthers = new CountDownLatch(1);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (int i = 0; i < OldPageLimiter.AT_ONCE; i++) {
        var reader = i == 0 ? "ann" : "reader" + i;
        var ended = i == 0 ? endOfAnn : i == 1 ? endOfBob : endOfOthers;
        var _ =
            threads.submit(
                () ->
                    patient.admit(
                        reader,
                        () -> {
                          begun.countDown();
                          awaitEnd(ended);
                          return PAGE;
                        }));
      }
      begun.await();
      var second = new FutureTask<>(() -> patient.admit("ann", () -> PAGE));
      awaitTurn(second);
      var late = new FutureTask<>(() -> patient.admit("late", () -> PAGE));
      awaitTurn(late);

      endOfBob.countDown();

      assertThat(late.get()).isSameAs(PAGE);
      assertThat(second.isDone()).isFalse();
      endOfAnn.countDown();
      assertThat(second.get()).isSameAs(PAGE);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Starts a page, and returns once it waits. */
  private static void awaitTurn(FutureTask<Page<FeedRef>> page) {
    var thread = Thread.ofVirtual().start(page);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private static void awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void page_thatFails_leavesItsPlace() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                limiter.admit(
                    "ann",
                    () -> {
                      throw new IllegalStateException("no table");
                    }));

    assertThat(limiter.admit("ann", () -> PAGE)).isSameAs(PAGE);
  }

  @Test
  void process_readsALimitedNumberOfPagesAtOnce() {
    var readers = new AtomicInteger();

    limiter.admit("first", () -> nested(readers));

    assertThat(readers).hasValue(OldPageLimiter.AT_ONCE - 1);
  }

  /** Holds a page open while the next reader begins one. */
  private Page<FeedRef> nested(AtomicInteger readers) {
    Supplier<Page<FeedRef>> next = () -> nested(readers);
    if (readers.get() == OldPageLimiter.AT_ONCE - 1) {
      assertRefused(ProblemCode.TABLE_BUSY, "one too many");
      return PAGE;
    }
    return limiter.admit("reader" + readers.incrementAndGet(), next);
  }
}
