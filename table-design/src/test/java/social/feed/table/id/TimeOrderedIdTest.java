package social.feed.table.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeOrderedIdTest {
  private static final Instant TIME = Instant.parse("2026-11-20T09:15:00.500Z");
  private static final long MAX_MILLIS = (1L << 48) - 1;

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
      assertThat(UUID.fromString(id).version()).isEqualTo(7);
      assertThat(UUID.fromString(id).variant()).isEqualTo(2);
    }
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
        "0199B1F0-0000-7000-8000-000000000001",
        "199b1f0-0000-7000-8000-000000000001",
        "0199b1f0-0000-4000-8000-000000000001",
        "0199b1f0-0000-7000-c000-000000000001",
        "0199b1f0-0000-7000-0000-000000000001",
        "0199b1f0000070008000000000000001",
        "{0199b1f0-0000-7000-8000-000000000001}",
        "0199b1f0-0000-7000-8000-000000000001 ",
        "0199b1f0-0000-7000-8000-00000000000g",
        "0199b1f0-0000-7000-8000-000000000001#META",
        "1-1-7000-8000-1"
      })
  void isValid_anotherText_isFalseAndHasNoTime(String text) {
    assertThat(TimeOrderedId.isValid(text)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> TimeOrderedId.timeOf(text));
  }
}
