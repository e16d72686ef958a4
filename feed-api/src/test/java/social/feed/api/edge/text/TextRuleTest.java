package social.feed.api.edge.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRuleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        " a ",
        "a\nb",
        "ä",
        "😀",
        "👩‍👩‍👧",
        "\u00a0x",
        "\u0600",
        "\u2800",
        "'<script>&\"\\"
      })
  void post_withSomethingVisible_isTaken(String text) {
    assertThat(TextRule.POST.errors(text)).isEmpty();
    assertThat(Pattern.compile(TextRule.LINES).matcher(text).find()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "\n", " \n ", "\u3000", "\u00a0", "\u200b", "\u2028", "\u00ad", "\u3164", "\ufeff"
      })
  void post_withNothingVisible_isEmpty(String text) {
    assertThat(TextRule.POST.errors(text)).containsExactly("is empty");
  }

  @Test
  void everyCharacter_isTakenAsTheDocumentSays() {
    Pattern line = Pattern.compile(TextRule.LINE);
    Pattern lines = Pattern.compile(TextRule.LINES);
    assertThat(everyCharacter())
        .filteredOn(
            text ->
                TextRule.DISPLAY_NAME.errors(text).isEmpty() != line.matcher(text).find()
                    || TextRule.POST.errors(text).isEmpty() != lines.matcher(text).find())
        .isEmpty();
  }

  @Test
  void everySpace_isEmpty() {
    assertThat(everyCharacter())
        .filteredOn(text -> Character.isSpaceChar(text.codePointAt(0)))
        .hasSize(19)
        .allSatisfy(text -> assertThat(TextRule.POST.errors(text)).containsExactly("is empty"));
  }

  /** Without halves of surrogate pairs, which match the patterns and are refused. */
  private static List<String> everyCharacter() {
    return IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(c -> Character.getType(c) != Character.SURROGATE)
        .mapToObj(Character::toString)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\u0000",
        "a\tb",
        "a\rb",
        "a\u001b[1m",
        "a\u0085",
        "\ud800a",
        "a\udc00",
        "a\u007f"
      })
  void post_withForbiddenCharacter_isRefused(String text) {
    assertThat(TextRule.POST.errors(text)).containsExactly("has a character that is not allowed");
  }

  @Test
  void post_of500CodePoints_isTakenAnd501AreNot() {
    assertThat(TextRule.POST.errors("😀".repeat(500))).isEmpty();
    assertThat(TextRule.POST.errors("😀".repeat(501)))
        .containsExactly("has more than 500 characters");
  }

  @Test
  void displayName_isOneLine() {
    assertThat(TextRule.DISPLAY_NAME.errors("a\nb")).isNotEmpty();
    assertThat(TextRule.DISPLAY_NAME.errors("x".repeat(50))).isEmpty();
    assertThat(TextRule.DISPLAY_NAME.errors("x".repeat(51))).isNotEmpty();
    assertThat(Pattern.compile(TextRule.LINE).matcher("a\nb").find()).isFalse();
  }

  @Test
  void bio_mayBeEmpty() {
    assertThat(TextRule.BIO.errors("")).isEmpty();
    assertThat(TextRule.BIO.errors("x".repeat(161))).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab", "a-b", "a b", "äöü", "abc\n", "x234567890123456789012345678901"})
  void handle_ofAnotherForm_isRefused(String text) {
    assertThat(TextRule.isHandle(text)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "A_9", "x23456789012345678901234567890"})
  void handle_of3To30AllowedCharacters_isTaken(String text) {
    assertThat(TextRule.isHandle(text)).isTrue();
  }
}
