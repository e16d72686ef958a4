package social.feed.api.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
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
