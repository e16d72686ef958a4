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
          10_000);

  private final PollBackoff pace = new PollBackoff(CONFIGURATION, false);

  private List<Long> pauses(int looks, boolean hasEvents) {
    List<Long> seconds = new ArrayList<>();
    for (int i = 0; i < looks; i++) {
      pace.polled(hasEvents, false);
      seconds.add(pace.pause().toSeconds());
    }
    return seconds;
  }

  @Test
  void streamBehindWhichNothingIsShown_looksLessAndLessOften() {
    assertThat(pace.pause()).hasSeconds(2);
    assertThat(pauses(4, false)).containsExactly(4L, 8L, 10L, 10L);
  }

  @Test
  void streamThatShowsSomething_looksSoonAgain() {
    pauses(4, false);

    assertThat(pauses(2, true)).containsExactly(2L, 2L);
    assertThat(pauses(1, false)).containsExactly(4L);
  }

  @Test
  void whatIsLeft_isAskedForAtOnce() {
    assertThat(new PollBackoff(CONFIGURATION, true).pause()).isZero();
    pace.polled(true, true);
    assertThat(pace.pause()).isZero();
  }

  /** Many posts of somebody whom the caller mutes are many parts, and nothing of them is shown. */
  @Test
  void whatIsLeftAndHidden_doesNotMakeItLookSoonAgain() {
    for (int part = 0; part < 5; part++) {
      pace.polled(false, true);
      assertThat(pace.pause()).isZero();
    }

    assertThat(pauses(1, false)).containsExactly(10L);
  }

  @Test
  void tableThatDoesNotAnswer_isLeftInPeace() {
    pace.failed();
    assertThat(pace.pause()).hasSeconds(10);

    assertThat(pauses(1, true)).containsExactly(2L);
  }
}
