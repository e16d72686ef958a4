package social.feed.api.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollBackoffTest {
  private static final Duration TO_CATCH_UP = Duration.ofHours(1);

  private static final LiveConfiguration CONFIGURATION =
      new LiveConfiguration(
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofMinutes(14),
          Duration.ofMinutes(2),
          TO_CATCH_UP,
          200,
          Duration.ofSeconds(30),
          3,
          10_000,
          false);

  private final PollBackoff backoff = new PollBackoff(CONFIGURATION, false);

  private List<Long> pauses(int polls, boolean hasEvents) {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < polls; i++) {
      backoff.polled(hasEvents, false);
      seconds.add(backoff.pause().toSeconds());
    }
    return seconds;
  }

  @Test
  void streamWithoutEvents_pollsLessAndLessOften() {
    assertThat(backoff.pause()).hasSeconds(2);
    assertThat(pauses(4, false)).containsExactly(4L, 8L, 10L, 10L);
  }

  @Test
  void streamWithEvents_pollsSoonAgain() {
    pauses(4, false);

    assertThat(pauses(2, true)).containsExactly(2L, 2L);
    assertThat(pauses(1, false)).containsExactly(4L);
  }

  @Test
  void remainingItems_areFetchedAtOnce() {
    assertThat(new PollBackoff(CONFIGURATION, true).pause()).isZero();
    backoff.polled(true, true);
    assertThat(backoff.pause()).isZero();
  }

  /** Many posts of a muted account are many parts without events. */
  @Test
  void hiddenRemainingItems_doNotShortenThePause() {
    for (int part = 0; part < 5; part++) {
      backoff.polled(false, true);
      assertThat(backoff.pause()).isZero();
    }

    assertThat(pauses(1, false)).containsExactly(10L);
  }

  @Test
  void failedPoll_pausesForTheIdleTime() {
    backoff.failed();
    assertThat(backoff.pause()).hasSeconds(10);

    assertThat(pauses(1, true)).containsExactly(2L);
  }
}
