package social.feed.table.post;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.row.Keys;

class TagTest {
  @ParameterizedTest
  @CsvSource({
    "java, java",
    "JAVA, java",
    "Java_25, java_25",
    "ＪＡＶＡ, java",
    "ﬁsh, fish",
    "Ünïcödé, ünïcödé",
    "ΜΈΓΑ, μέγα",
    "日本語, 日本語",
    "עברית, עברית",
    "مرحبا, مرحبا",
    "①, 1",
    "_, _"
  })
  void normalise_tag_isItsCanonicalSpelling(String text, String tag) {
    assertThat(Tag.normalize(text)).contains(tag);
  }

  @Test
  void normalise_composedAndDecomposed_areOneTag() {
    assertThat(Tag.normalize("cafe\u0301")).contains("caf\u00e9").isEqualTo(Tag.normalize("CAFÉ"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "a b", "a#b", "#a", "a-b", "a.b", "😀", "a😀", "a\u200db", "a\n"})
  void normalise_otherCharacters_isNoTag(String text) {
    assertThat(Tag.normalize(text)).isEmpty();
  }

  @Test
  void normalise_64Characters_isTheLongest() {
    assertThat(Tag.normalize("a".repeat(64))).isPresent();
    assertThat(Tag.normalize("a".repeat(65))).isEmpty();
    assertThat(Tag.normalize("𝒳".repeat(64))).contains("x".repeat(64));
  }

  /** A character that compatibility decomposition turns into many must not exceed the limit. */
  @Test
  void normalise_characterThatGrows_isCountedAfterwards() {
    assertThat(Tag.normalize("\u3300".repeat(64))).isEmpty();
    assertThat(Tag.normalize("\u3300".repeat(16))).isPresent();
  }

  @Test
  void normalise_everyCharacter_isIdempotentAndFitsIntoAKey() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      Tag.normalize("a" + Character.toString(c))
          .ifPresent(
              tag -> {
                assertThat(Tag.normalize(tag)).as("tag %s", tag).contains(tag);
                assertThat(Keys.part(tag)).isEqualTo(tag);
              });
    }
  }
}
