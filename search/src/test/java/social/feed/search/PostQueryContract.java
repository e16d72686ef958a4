package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static social.feed.search.SearchIndexContract.NOW;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which posts a search finds, and what it accepts. */
interface PostQueryContract extends OpenIndex {
  @Test
  default void words_allOfThem_mustOccur() throws IOException {
    put("p1", "the quick brown fox");
    put("p2", "a quick dog");
    index().refresh();

    assertThat(ids(PostQuery.of("quick"))).containsExactlyInAnyOrder("p1", "p2");
    assertThat(ids(PostQuery.of("QUICK fox"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("quick cat"))).isEmpty();
  }

  /** A text of 128 characters has up to 64 words, or 127 pairs of characters without spaces. */
  @Test
  default void words_asManyAsATextHas_mustAllOccur() throws IOException {
    var words = IntStream.range(0, 63).mapToObj(i -> Character.toString('a' + i % 26)).toList();
    var text = String.join(" ", words);
    var line = "\u6f22\u5b57".repeat(63);
    put("p", text);
    put("line", line);
    index().refresh();

    assertThat(ids(PostQuery.of(text))).containsExactly("p");
    assertThat(ids(PostQuery.of(text + " 7"))).isEmpty();
    assertThat(ids(PostQuery.of('"' + text + '"'))).containsExactly("p");
    assertThat(ids(PostQuery.of('"' + text + " a\""))).isEmpty();
    assertThat(ids(PostQuery.of(line))).containsExactly("line");
    assertThat(ids(PostQuery.of(line + "\u6f22\u8a9e"))).isEmpty();
  }

  @Test
  default void words_moreThanAreSearchedFor_findNothing() throws IOException {
    var text = "\u6f22\u5b57".repeat(SearchIndex.MAX_TERMS);
    put("p", text);
    index().putAccount(new IndexedAccount("u", "u", text), "1");
    index().refresh();

    assertThat(ids(PostQuery.of("\u6f22\u5b57"))).containsExactly("p");
    assertThat(ids(PostQuery.of(text))).isEmpty();
    assertThat(accounts(text, 10)).isEmpty();
    assertThat(index().highlights(text, text)).isEmpty();
  }

  /** Beginnings and errors are for accounts. */
  @Test
  default void words_ofPosts_areWholeAndSpelledRight() throws IOException {
    put("p", "two houses");
    index().putAccount(new IndexedAccount("u", "houses", "Two"), "1");
    index().refresh();

    for (var other : List.of("house", "hous", "huoses", "housess")) {
      assertThat(ids(PostQuery.of(other))).as(other).isEmpty();
      assertThat(accounts(other, 10)).as(other).containsExactly("u");
    }
    assertThat(ids(PostQuery.of("houses"))).containsExactly("p");
  }

  @Test
  default void quotedWords_mustBeNeighbours() throws IOException {
    put("p1", "new york in winter");
    put("p2", "a new flat in york");
    index().refresh();

    assertThat(ids(PostQuery.of("\"new york\""))).containsExactly("p1");
    assertThat(ids(PostQuery.of("\u201enew york\u201c winter"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("\"new york"))).containsExactlyInAnyOrder("p1", "p2");
  }

  @Test
  default void accentsAndCase_doNotMatter() throws IOException {
    put("p1", "Ein Café in ZÜRICH");
    put("p2", "Привет Мир");
    put("p3", "مَرْحَبًا بالعالم");
    index().refresh();

    assertThat(ids(PostQuery.of("cafe zurich"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("привет"))).containsExactly("p2");
    assertThat(ids(PostQuery.of("مرحبا"))).containsExactly("p3");
  }

  @Test
  default void languagesWithoutSpaces_areFoundByAnyPart() throws IOException {
    put("zh", "我在北京大学学习计算机");
    put("ja", "東京タワーに行きました");
    put("ko", "학교에서 만나요");
    put("th", "ภาษาไทยง่ายมาก");
    put("mixed", "日本語 java が好き");
    index().refresh();

    assertThat(ids(PostQuery.of("北京大学"))).containsExactly("zh");
    assertThat(ids(PostQuery.of("京大"))).containsExactly("zh");
    assertThat(ids(PostQuery.of("大北"))).isEmpty();
    assertThat(ids(PostQuery.of("学"))).containsExactly("zh");
    assertThat(ids(PostQuery.of("東京タワー"))).containsExactly("ja");
    assertThat(ids(PostQuery.of("行きました"))).containsExactly("ja");
    assertThat(ids(PostQuery.of("학교"))).containsExactly("ko");
    assertThat(ids(PostQuery.of("ภาษาไทย"))).containsExactly("th");
    assertThat(ids(PostQuery.of("\"日本語 java\""))).containsExactly("mixed");
  }

  @Test
  default void filters_authorTagAndTimes_allHold() throws IOException {
    index().putPost(new IndexedPost("p1", "a", "text", Set.of("java", "code"), NOW), "1");
    index().putPost(new IndexedPost("p2", "b", "text", Set.of("java"), NOW.plusSeconds(1)), "1");
    index().putPost(new IndexedPost("p3", "a", "text", Set.of(), NOW.plusSeconds(2)), "1");
    index().refresh();
    now(NOW.plusSeconds(3));

    assertThat(ids(new PostQuery("text", "a", null, null, null)))
        .containsExactlyInAnyOrder("p1", "p3");
    assertThat(ids(new PostQuery("", null, "java", null, null)))
        .containsExactlyInAnyOrder("p1", "p2");
    assertThat(ids(new PostQuery("", null, "jav", null, null))).isEmpty();
    assertThat(ids(new PostQuery("text", "a", "code", null, null))).containsExactly("p1");
    assertThat(ids(new PostQuery("", null, null, NOW.plusSeconds(1), null)))
        .containsExactlyInAnyOrder("p2", "p3");
    assertThat(ids(new PostQuery("", null, null, NOW, NOW.plusSeconds(2))))
        .containsExactlyInAnyOrder("p1", "p2");
    assertThat(ids(new PostQuery("", null, null, NOW, NOW))).isEmpty();
  }

  /** A post has a time in milliseconds, and a query may have a finer one. */
  @Test
  default void times_betweenTwoMilliseconds_divideThePosts() throws IOException {
    putAt("p1", "text", NOW);
    putAt("p2", "text", NOW.plusMillis(1));
    index().refresh();
    now(NOW.plusSeconds(1));

    for (int nanos : List.of(1, 500_000, 999_999)) {
      var between = NOW.plusNanos(nanos);
      assertThat(ids(new PostQuery("text", null, null, null, between))).containsExactly("p1");
      assertThat(ids(new PostQuery("text", null, null, between, null))).containsExactly("p2");
      assertThat(ids(new PostQuery("text", null, null, between, between))).isEmpty();
    }
  }

  @Test
  default void words_ofAnyKind_areNoError() throws IOException {
    put("p", "text");
    index().refresh();
    var odd =
        List.of(
            "\"",
            "\"\"",
            "AND OR NOT",
            "a*",
            "*",
            "?",
            "(",
            "[a TO b]",
            "text:x",
            "~",
            "\\",
            "+-!",
            "\u0000",
            "\ud800",
            "\udc00x",
            "😀👨‍👩‍👧",
            "/.*/",
            "\"\"\"\"\"",
            "a ".repeat(128),
            "x".repeat(SearchIndex.MAX_WORDS),
            "字".repeat(SearchIndex.MAX_WORDS));
    for (var words : odd) {
      assertThat(index().findPosts(PostQuery.of(words), null, 10)).as(words).isEmpty();
      assertThat(accounts(words, 10)).as(words).isEmpty();
    }
    var random = new Random(1);
    var signs = "\"a 字~*():/\\ü\ud83d\ude00\u0301";
    for (int i = 0; i < 500; i++) {
      var words = new StringBuilder();
      for (int j = random.nextInt(20); j >= 0; j--) {
        words.append(signs.charAt(random.nextInt(signs.length())));
      }
      index().findPosts(PostQuery.of(words.toString()), null, 10);
      accounts(words.toString(), 10);
    }
  }

  @Test
  default void requests_beyondTheirBounds_areRefused() {
    var tooLong = "x".repeat(SearchIndex.MAX_WORDS + 1);
    assertThatIllegalArgumentException().isThrownBy(() -> PostQuery.of(tooLong));
    assertThatIllegalArgumentException().isThrownBy(() -> accounts(tooLong, 1));
    for (int limit : List.of(0, -1, SearchIndex.MAX_HITS + 1)) {
      assertThatIllegalArgumentException().isThrownBy(() -> accounts("x", limit));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index().statesAfter(EntryKind.POST, "", 10 * limit));
      assertThatIllegalArgumentException().isThrownBy(() -> index().statesOf("a", "", 10 * limit));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index().findPosts(PostQuery.of("x"), null, limit));
    }
  }
}
