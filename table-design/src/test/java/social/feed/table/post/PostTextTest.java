package social.feed.table.post;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostTextTest {
  @Test
  void tags_ofText_areNormalizedUniqueAndInOrder() {
    assertThat(PostText.tags("#Zoo then #java, #ＪＡＶＡ and #zoo! (#x) #java_25."))
        .containsExactly("zoo", "java", "x", "java_25");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "none", "#", "##", "##a", "# a", "a#b", "x&#39;s", "#😀", "#-a", "é#b", "_#b"})
  void tags_ofTextWithoutTag_areNone(String text) {
    assertThat(PostText.tags(text)).isEmpty();
  }

  @Test
  void tags_withoutSpaceBetween_areOnlyTheFirst() {
    assertThat(PostText.tags("#a#b")).containsExactly("a");
    assertThat(PostText.tags("#a #b")).containsExactly("a", "b");
  }

  @Test
  void tags_beforeEmoji_endThere() {
    assertThat(PostText.tags("#sun☀️ #flag🏳️‍🌈 😀#smile"))
        .containsExactly("sun", "flag", "smile");
  }

  @Test
  void tags_rightToLeft_areFound() {
    assertThat(PostText.tags("שלום #עולם ו #مرحبا")).containsExactly("עולם", "مرحبا");
  }

  @Test
  void tags_withCombiningMarks_areComposed() {
    assertThat(PostText.tags("#cafe\u0301 #हिन्दी")).containsExactly("caf\u00e9", "हिन्दी");
  }

  @Test
  void tags_fullWidthSign_isASign() {
    assertThat(PostText.tags("＃日本")).containsExactly("日本");
  }

  @Test
  void tags_overlong_areSkipped() {
    assertThat(PostText.tags("#" + "a".repeat(65) + " #" + "b".repeat(64)))
        .containsExactly("b".repeat(64));
  }

  @Test
  void handles_ofText_areInOrderAndUniqueIgnoringCase() {
    assertThat(PostText.handles("@Bob, (@ann_1) @BOB and @carol."))
        .containsExactly("Bob", "ann_1", "carol");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@bob.", "@bob,", "@bob!", "@bob?", "(@bob)", "“@bob”", "@bob's", "-@bob-"})
  void handles_nextToPunctuation_areFound(String text) {
    assertThat(PostText.handles(text)).containsExactly("bob");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@",
        "@@bob",
        "@ab",
        "mail ann@example.com",
        "mail a.b+c@example.com",
        "mail josé@example.com",
        "почта@example.com",
        "x_@bob"
      })
  void handles_ofTextWithoutHandle_areNone(String text) {
    assertThat(PostText.handles(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"@bobé", "@bob\u0301", "@bobя"})
  void handles_continuedByOtherCharacters_areNone(String text) {
    assertThat(PostText.handles(text)).isEmpty();
  }

  @Test
  void handles_of30Characters_areTheLongest() {
    assertThat(PostText.handles("@" + "a".repeat(30))).hasSize(1);
    assertThat(PostText.handles("@" + "a".repeat(31))).isEmpty();
  }
}
