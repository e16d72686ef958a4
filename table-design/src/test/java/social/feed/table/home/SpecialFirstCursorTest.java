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
      Map<String, FeedGap> gaps = new LinkedHashMap<>();
      IntStream.range(0, authors / 2).forEach(i -> gaps.put("a-_" + i, gap(i)));
      for (boolean isRest : new boolean[] {false, true}) {
        var cursor = new SpecialFirstCursor(since, gaps, isRest, after);

        assertThat(SpecialFirstCursor.of(cursor.text())).isEqualTo(cursor);
      }
    }
  }

  @Test
  void cursor_ofThirtyLongestIdsWithGaps_fitsInAUrl() {
    Map<String, Instant> since = new LinkedHashMap<>();
    Map<String, FeedGap> gaps = new LinkedHashMap<>();
    for (int i = 0; i < 30; i++) {
      since.put("%064d".formatted(i), TIME);
      gaps.put("%064d".formatted(i), gap(i));
    }
    var after = TIME + "#999#POST#01KAJPTR000000000000000001";
    var cursor = new SpecialFirstCursor(since, gaps, true, after);

    int signed = cursor.text().length() + 32;
    assertThat(4 * signed / 3).isLessThan(4_096 - 200);
  }

  @Test
  void post_belongsToOnePart() {
    var cursor = SpecialFirstCursor.begin(Map.of("ann", TIME), Map.of());
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
  void postInAGap_belongsToTheSecondPart() {
    var gap = gap(0);
    var cursor = SpecialFirstCursor.begin(Map.of("ann", TIME), Map.of("ann", gap));

    assertThat(cursor.isInSamePart(new FeedRef("p", "ann", gap.after()))).isTrue();
    assertThat(cursor.isInSamePart(new FeedRef("p", "ann", gap.after().plusMillis(1)))).isFalse();
    assertThat(cursor.isInSamePart(new FeedRef("p", "ann", gap.before().minusMillis(1)))).isFalse();
    assertThat(cursor.isInSamePart(new FeedRef("p", "ann", gap.before()))).isTrue();
    assertThat(cursor.rest().isInSamePart(new FeedRef("p", "ann", gap.before()))).isFalse();
    assertThat(cursor.rest().isInSamePart(new FeedRef("p", "ann", gap.after().plusMillis(1))))
        .isTrue();
  }

  private static FeedGap gap(int number) {
    return new FeedGap(TIME.plusSeconds(number), TIME.plusSeconds(60 + number));
  }

  @Test
  void at_aPosition_staysInItsPart_withTheSameDivision() {
    var since = Map.of("ann", TIME);

    assertThat(SpecialFirstCursor.begin(since, Map.of()).at("x"))
        .isEqualTo(new SpecialFirstCursor(since, Map.of(), false, "x"));
    assertThat(SpecialFirstCursor.begin(since, Map.of()).rest().at("x"))
        .isEqualTo(new SpecialFirstCursor(since, Map.of(), true, "x"));
  }

  @Test
  void begin_withoutSpecialAuthors_isTheSecondPart() {
    assertThat(SpecialFirstCursor.begin(Map.of(), Map.of()).isRest()).isTrue();
    assertThat(SpecialFirstCursor.begin(Map.of("ann", TIME), Map.of()).isRest()).isFalse();
  }
}
