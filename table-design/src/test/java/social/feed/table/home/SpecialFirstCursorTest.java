package social.feed.table.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.row.FeedRef;

class SpecialFirstCursorTest {
  private static final Instant TIME = Instant.parse("2026-11-20T09:15:00.500Z");

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"2026-11-20T09:15:00.500Z#3#POST#01", "2026-11-20T09:15:00.500Z$"})
  void cursor_toTextAndBack_isEqual(@Nullable String after) {
    for (int authors : new int[] {0, 1, 2, 30}) {
      Map<String, Instant> since = new LinkedHashMap<>();
      IntStream.range(0, authors).forEach(i -> since.put("a-_" + i, TIME.minusSeconds(i)));
      for (boolean isRest : new boolean[] {false, true}) {
        var cursor = new SpecialFirstCursor(since, isRest, after);

        assertThat(SpecialFirstCursor.of(cursor.text())).isEqualTo(cursor);
      }
    }
  }

  @Test
  void cursor_ofThirtyLongestIds_fitsInAUrl() {
    Map<String, Instant> since = new LinkedHashMap<>();
    IntStream.range(0, 30).forEach(i -> since.put("%064d".formatted(i), TIME));
    var cursor = new SpecialFirstCursor(since, true, TIME + "#999#POST#01KAJPTR000000000000000001");

    int signed = cursor.text().length() + 32;
    assertThat(4 * signed / 3).isLessThan(4_096 - 500);
  }

  @Test
  void post_belongsToOnePart() {
    var cursor = SpecialFirstCursor.begin(Map.of("ann", TIME));
    var first = new FeedRef("p", "ann", TIME);
    var older = new FeedRef("p", "ann", TIME.minusMillis(1));
    var other = new FeedRef("p", "bob", TIME);

    assertThat(cursor.isInSamePart(first)).isTrue();
    assertThat(cursor.isInSamePart(older)).isFalse();
    assertThat(cursor.isInSamePart(other)).isFalse();
    assertThat(cursor.rest().isInSamePart(first)).isFalse();
    assertThat(cursor.rest().isInSamePart(older)).isTrue();
    assertThat(cursor.rest().isInSamePart(other)).isTrue();
  }

  @Test
  void at_aPosition_staysInItsPart_withTheSameDivision() {
    var since = Map.of("ann", TIME);

    assertThat(SpecialFirstCursor.begin(since).at("x"))
        .isEqualTo(new SpecialFirstCursor(since, false, "x"));
    assertThat(SpecialFirstCursor.begin(since).rest().at("x"))
        .isEqualTo(new SpecialFirstCursor(since, true, "x"));
  }

  @Test
  void begin_withoutSpecialAuthors_isTheSecondPart() {
    assertThat(SpecialFirstCursor.begin(Map.of()).isRest()).isTrue();
    assertThat(SpecialFirstCursor.begin(Map.of("ann", TIME)).isRest()).isFalse();
  }
}
