package social.feed.table.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  private static final long FIRST = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();
  private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T09:15:00Z, 2026-11-20T09:15:00.000Z",
    "2026-11-20T09:15:00.5Z, 2026-11-20T09:15:00.500Z",
    "2026-11-20T09:15:00.500999999Z, 2026-11-20T09:15:00.500Z",
    "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00Z, 0000-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z"
  })
  void format_knownTimes_haveThreeFractionDigits(Instant time, String text) {
    assertThat(Timestamps.format(time)).isEqualTo(text);
  }

  @Test
  void format_anyTwoTimes_haveOneWidthAndTheOrderOfTime() {
    var random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      var one = any(random);
      var other = random.nextBoolean() ? any(random) : one.plusMillis(random.nextInt(3));
      var text = Timestamps.format(one);
      assertThat(text).hasSize(24);
      if (!other.isAfter(Instant.ofEpochMilli(LAST))) {
        assertThat(Integer.signum(text.compareTo(Timestamps.format(other))))
            .isEqualTo(Integer.signum(one.compareTo(other)));
      }
    }
  }

  @Test
  void parse_ofFormat_isTheTime() {
    var random = new Random(12);
    for (int i = 0; i < 20_000; i++) {
      var time = any(random);
      assertThat(Timestamps.parse(Timestamps.format(time))).isEqualTo(time);
    }
  }

  @Test
  void format_instantsToString_wouldSortWrongly() {
    var whole = Instant.parse("2026-11-20T09:15:00Z");
    var later = whole.plusMillis(1);

    assertThat(whole.toString()).isGreaterThan(later.toString());
    assertThat(Timestamps.format(whole)).isLessThan(Timestamps.format(later));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-20T09:15:00Z",
        "2026-11-20T09:15:00.5Z",
        "2026-11-20T09:15:00.5000Z",
        "2026-11-20T09:15:00.500+00:00",
        "2026-11-20T09:15:00.500z",
        "2026-02-29T09:15:00.500Z",
        "2026-11-20T24:00:00.000Z",
        "2026-11-20T09:15:60.000Z",
        " 2026-11-20T09:15:00.500Z",
        "2026-11-20T09:15:00.500Z\n",
        "+2026-11-20T09:15:00.500Z"
      })
  void parse_anotherSpelling_isRejected(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Timestamps.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-0001-12-31T23:59:59.999Z", "+10000-01-01T00:00:00Z"})
  void format_yearOfAnotherWidth_isRejected(Instant time) {
    assertThatIllegalArgumentException().isThrownBy(() -> Timestamps.format(time));
  }

  @Test
  void now_clockWithNanoseconds_isCutToMilliseconds() {
    var time = Instant.parse("2026-11-20T09:15:00.123456789Z");

    assertThat(Timestamps.now(Clock.fixed(time, ZoneOffset.UTC)))
        .isEqualTo(time.truncatedTo(ChronoUnit.MILLIS));
  }

  private static Instant any(Random random) {
    return Instant.ofEpochMilli(random.nextLong(FIRST, LAST + 1));
  }
}
