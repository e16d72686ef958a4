package social.feed.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PulledAuthorTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static final Duration DAYS_KEPT = Duration.ofDays(91);

  private final PulledAuthor author = PulledAuthor.from("ann", NOW.minusSeconds(600));

  /** The clock of the server that wrote the post may be ahead. */
  @Test
  void postFromJustBeforeTheFlagChange_isCovered_withDifferentClocks() {
    var flipped = author.flipped(true, 1, NOW).flipped(false, 2, NOW);

    assertThat(flipped.covering(NOW.plusSeconds(59))).isEqualTo(flipped);
    assertThat(flipped.covering(NOW.plusSeconds(61))).isNotEqualTo(flipped);
    assertThat(author.corrected(false, 2, NOW).covering(NOW.plusSeconds(59)))
        .isEqualTo(author.corrected(false, 2, NOW));
  }

  @Test
  void row_expiresWhenNoFeedStoresItsPosts_unlessTheAuthorIsACelebrityAgain() {
    var ended = author.flipped(true, 1, NOW).flipped(false, 2, NOW);

    assertThat(ended.expiresAt()).isEqualTo(NOW.plusSeconds(60).plus(DAYS_KEPT).getEpochSecond());
    assertThat(ended.covering(NOW.plusSeconds(90)).expiresAt())
        .isEqualTo(NOW.plusSeconds(90).plus(DAYS_KEPT).getEpochSecond());
    assertThat(ended.flipped(true, 3, NOW).expiresAt()).isNull();
  }

  /** A reader who kept the posts of an earlier time needs no later ones. */
  @Test
  void period_ofAReaderWhoKeptPosts_endsNoLaterThanThese() {
    var ended = author.flipped(true, 1, NOW).flipped(false, 2, NOW);
    var before = NOW.minusSeconds(601);

    assertThat(author.notAfter(NOW).covers(NOW)).isTrue();
    assertThat(author.notAfter(NOW).covers(NOW.plusMillis(1))).isFalse();
    assertThat(ended.notAfter(NOW).pullUntil()).isEqualTo(NOW);
    assertThat(ended.notAfter(NOW.plusSeconds(61))).isEqualTo(ended);
    assertThat(author.notAfter(author.pullFrom()).hasPeriod()).isTrue();
    assertThat(author.notAfter(before).hasPeriod()).isFalse();
    assertThat(author.hasPeriod()).isTrue();
  }

  @Test
  void flagChangeOlderThanTheRecordedOne_changesNothing() {
    var flipped = author.flipped(true, 3, NOW);

    assertThat(flipped.flipped(false, 2, NOW)).isEqualTo(flipped);
    assertThat(flipped.flipped(false, 3, NOW)).isEqualTo(flipped);
  }
}
