package social.feed.table.kernel.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOrderedIdTest {
  private static final Instant TIME = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final long MAX_MILLIS = (7L << 45) - 1;

  @Test
  void random_anyTwoTimes_haveTheOrderOfTime() {
    var random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      var one = Instant.ofEpochMilli(random.nextLong(MAX_MILLIS));
      var later = Instant.ofEpochMilli(random.nextLong(one.toEpochMilli() + 1, MAX_MILLIS + 1));
      assertThat(TimeOrderedId.random(one, random)).isLessThan(TimeOrderedId.random(later, random));
    }
  }

  @Test
  void timeOf_anyId_isItsMillisecond() {
    var random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      var time = Instant.ofEpochMilli(random.nextLong(MAX_MILLIS + 1));
      var id = TimeOrderedId.random(time, random);
      assertThat(TimeOrderedId.isValid(id)).isTrue();
      assertThat(TimeOrderedId.timeOf(id)).isEqualTo(time);
    }
  }

  /** The example of the ULID specification. */
  @Test
  void timeOf_idOfTheSpecification_isItsTime() {
    assertThat(TimeOrderedId.timeOf("01ARYZ6S41TSV4RRFFQ69G5FAV"))
        .isEqualTo(Instant.ofEpochMilli(1_469_918_176_385L));
    assertThat(TimeOrderedId.random(Instant.ofEpochMilli(1_469_918_176_385L), new Random(4)))
        .startsWith("01ARYZ6S41");
  }

  @Test
  void random_oneMillisecond_givesManyIds() {
    var random = new Random(3);
    var ids = new HashSet<String>();
    for (int i = 0; i < 10_000; i++) {
      ids.add(TimeOrderedId.random(TIME, random));
    }

    assertThat(ids).hasSize(10_000);
  }

  @Test
  void named_sameWords_isTheSameId() {
    assertThat(TimeOrderedId.named(TIME, "like", "p", "u"))
        .isEqualTo(TimeOrderedId.named(TIME, "like", "p", "u"))
        .isNotEqualTo(TimeOrderedId.named(TIME, "like", "p", "v"))
        .isNotEqualTo(TimeOrderedId.named(TIME.plusMillis(1), "like", "p", "u"))
        .isNotEqualTo(TimeOrderedId.named(TIME, "likep", "u"));
  }

  @Test
  void first_sortsBeforeEveryIdOfItsMillisecond_andAfterAllEarlierOnes() {
    var first = TimeOrderedId.first(TIME);
    var random = new Random(5);
    for (int i = 0; i < 1_000; i++) {
      assertThat(TimeOrderedId.random(TIME, random)).isGreaterThanOrEqualTo(first);
      assertThat(TimeOrderedId.random(TIME.minusMillis(1), random)).isLessThan(first);
    }
    assertThat(TimeOrderedId.timeOf(first)).isEqualTo(TIME);
    assertThat(first).endsWith("0000000000000000");
  }

  @Test
  void named_anyWords_isValidAndHasTheTime() {
    var id = TimeOrderedId.named(TIME, "ü", "", "😀");

    assertThat(TimeOrderedId.isValid(id)).isTrue();
    assertThat(TimeOrderedId.timeOf(id)).isEqualTo(TIME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "01kajptr00zzzzzzzzzzzzzzzz",
        "01KAJPTR00ZZZZZZZZZZZZZZZ",
        "01KAJPTR00ZZZZZZZZZZZZZZZZZ",
        "71KAJPTR00ZZZZZZZZZZZZZZZZ",
        "81KAJPTR00ZZZZZZZZZZZZZZZZ",
        "01KAJPTR00ZZZZZZZZZZZZZZZI",
        "01KAJPTR00ZZZZZZZZZZZZZZZL",
        "01KAJPTR00ZZZZZZZZZZZZZZZO",
        "01KAJPTR00ZZZZZZZZZZZZZZZU",
        "01KAJPTR00ZZZZZZZZZZZZZZZZ ",
        "01KAJPTR00ZZZZZZZZZZZZZZ\n",
        "01KAJPTR00ZZZZZZZZZZZZ#META",
        "0199b1f0-0000-7000-8000-000000000001"
      })
  void isValid_anotherText_isFalseAndHasNoTime(String text) {
    assertThat(TimeOrderedId.isValid(text)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> TimeOrderedId.timeOf(text));
  }
}
