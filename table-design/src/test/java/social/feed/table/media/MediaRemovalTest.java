package social.feed.table.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import social.feed.table.row.MediaRemoval;

/** Attempts to remove the objects of a deleted file. */
class MediaRemovalTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:15:00.500Z");

  private final MediaRemoval note = MediaRemoval.of("m", "ann", 1);

  /** The first failure is at the beginning; the others come after the delays. */
  @Test
  void removal_isStuck_onceItsAttemptsTookMoreThanADay() {
    var removal = note;
    var took = Duration.ZERO;
    for (int failures = 1; failures <= 30; failures++) {
      assertThat(removal.failures()).isEqualTo(failures);
      assertThat(removal.isStuck())
          .as("%s failures in %s", failures, took)
          .isEqualTo(took.compareTo(Duration.ofDays(1)) > 0);
      took = took.plus(MediaRemovals.delay(failures));
      removal = removal.failed();
    }
  }

  @Test
  void timer_hasTheSecondOfTheNextAttempt_andIsAnotherRowThanTheNote() {
    var timer = note.timer(NOW);

    assertThat(timer).isEqualTo(new MediaRemoval("m", "ann", 1, NOW.getEpochSecond()));
    assertThat(timer.isTimer()).isTrue();
    assertThat(timer.key()).isEqualTo(MediaRemoval.timerKey("m"));
    assertThat(note.isTimer()).isFalse();
    assertThat(note.key()).isEqualTo(MediaRemoval.key("m")).isNotEqualTo(timer.key());
  }

  @Test
  void failedAttemptOfATimer_isANoteOfOneMoreFailure() {
    assertThat(note.timer(NOW).failed()).isEqualTo(MediaRemoval.of("m", "ann", 2));
  }
}
