package social.feed.search.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HighlightsTest {
  private static List<String> marked(String text, String words) throws IOException {
    return Highlights.in(text, words).stream()
        .map(range -> text.substring(range.from(), range.to()))
        .toList();
  }

  @Test
  void words_areMarkedWhereTheyOccur() throws IOException {
    assertThat(marked("A Café, and another café. Tea", "cafe tea"))
        .containsExactly("Café", "café", "Tea");
  }

  @Test
  void quotedWords_areMarkedNextToEachOtherOnly() throws IOException {
    assertThat(marked("new york, a new day in york", "\"new york\"")).containsExactly("new york");
  }

  @Test
  void charactersWithoutSpaces_areOneRange() throws IOException {
    assertThat(marked("我在北京大学学习", "北京大学")).containsExactly("北京大学");
  }

  @Test
  void wordsWithNothingBetween_areARangeEach() throws IOException {
    assertThat(marked("a tea茶道 day", "tea 茶道")).containsExactly("tea", "茶道");
  }

  @Test
  void emoji_doNotMoveTheRanges() throws IOException {
    assertThat(marked("😀 fox 👨‍👩‍👧 fox", "fox")).containsExactly("fox", "fox");
  }

  @Test
  void noMatch_isNoRange() throws IOException {
    assertThat(Highlights.in("some text", "other")).isEmpty();
    assertThat(Highlights.in("", "other")).isEmpty();
    assertThat(Highlights.in("some text", "\"")).isEmpty();
  }
}
