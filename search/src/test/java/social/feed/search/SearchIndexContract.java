package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each index must do. A test of an implementation extends this class. */
public abstract class SearchIndexContract {
  protected static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private SearchIndex index;
  private Instant now;

  protected SearchIndexContract() {
    this.now = NOW;
  }

  /** Opens an empty index. */
  protected abstract SearchIndex opened(InstantSource clock) throws IOException;

  @BeforeEach
  void open() throws IOException {
    now = NOW;
    index = opened(() -> now);
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  /** A write of the same post, with the version that its number is. */
  private interface Write {
    void to(SearchIndex index) throws IOException;
  }

  @Test
  void writes_inAnyOrderAndRepeated_endWithTheLastVersion() throws IOException {
    List<Write> writes =
        List.of(
            at -> at.putPost(post("p", "a", "first"), "1"),
            at -> at.deletePost("p", "2"),
            at -> at.putPost(post("p", "a", "third"), "3"));
    for (var order : ordersOf(writes)) {
      try (var each = opened(() -> now)) {
        for (var write : order) {
          write.to(each);
          each.refresh();
          write.to(each);
        }
        each.refresh();
        assertThat(ids(each, PostQuery.of("third"))).containsExactly("p");
        assertThat(ids(each, PostQuery.of("first"))).isEmpty();
      }
    }
  }

  @Test
  void deletion_inAnyOrderAndRepeated_remains() throws IOException {
    List<Write> writes =
        List.of(
            at -> at.putPost(post("p", "a", "first"), "1"),
            at -> at.putPost(post("p", "a", "second"), "2"),
            at -> at.deletePost("p", "3"));
    for (var order : ordersOf(writes)) {
      try (var each = opened(() -> now)) {
        for (var write : order) {
          write.to(each);
          write.to(each);
        }
        each.refresh();
        assertThat(ids(each, PostQuery.of(""))).isEmpty();
      }
    }
  }

  @Test
  void deletedAccount_withAnEarlierWrite_remainsDeleted() throws IOException {
    index.putAccount(new IndexedAccount("u", "ada", "Ada"), "1");
    index.deleteAccount("u", "3");
    index.refresh();
    index.putAccount(new IndexedAccount("u", "ada", "Ada"), "2");
    index.refresh();

    assertThat(accounts("ada", 10)).isEmpty();
  }

  @Test
  void postAndAccount_withTheSameId_areTwo() throws IOException {
    index.putPost(post("x", "a", "text"), "1");
    index.deleteAccount("x", "2");
    index.refresh();

    assertThat(ids(PostQuery.of("text"))).containsExactly("x");
  }

  @Test
  void forgottenDeletions_areThoseBeforeTheTime() throws IOException {
    index.deletePost("old", "5");
    now = NOW.plusSeconds(60);
    index.deletePost("young", "5");
    index.forgetDeletions(now);
    index.putPost(post("old", "a", "text"), "1");
    index.putPost(post("young", "a", "text"), "1");
    index.refresh();

    assertThat(ids(PostQuery.of("text"))).containsExactly("old");
  }

  @Test
  void states_areThoseOfTheLastWrites() throws IOException {
    var kept = post("p1", "a", "text");
    index.putPost(kept, "1");
    index.putPost(post("p2", "a", "text"), "1");
    index.deletePost("p2", "2");
    index.putAccount(new IndexedAccount("p1", "ada", "Ada"), "7");

    assertThat(index.states(EntryKind.POST, List.of("p1", "p2", "p3")))
        .containsExactlyInAnyOrder(
            new IndexState(EntryKind.POST, "p1", "1", kept.fingerprint()),
            new IndexState(EntryKind.POST, "p2", "2", IndexState.DELETED));
    index.putPost(post("p1", "a", "other text"), "2");
    assertThat(index.states(EntryKind.POST, List.of("p1")))
        .singleElement()
        .satisfies(
            state -> {
              assertThat(state.version()).isEqualTo("2");
              assertThat(state.fingerprint()).isNotEqualTo(kept.fingerprint());
            });
    assertThat(index.states(EntryKind.POST, List.of())).isEmpty();
  }

  @Test
  void statesInPages_areAllEntriesOfTheKind() throws IOException {
    for (int i = 0; i < 25; i++) {
      put("p%02d".formatted(i), "text");
    }
    index.deletePost("p07", "2");
    index.putAccount(new IndexedAccount("p00x", "ada", "Ada"), "1");
    for (int size : List.of(1, 5, 24, 100)) {
      var ids = new ArrayList<String>();
      var after = "";
      while (true) {
        var page = index.statesAfter(EntryKind.POST, after, size);
        page.forEach(state -> ids.add(state.id()));
        if (page.size() < size) {
          break;
        }
        after = page.getLast().id();
      }
      assertThat(ids).hasSize(24).doesNotContain("p07").isSorted().doesNotHaveDuplicates();
    }
    assertThat(index.statesAfter(EntryKind.ACCOUNT, "", 10))
        .extracting(IndexState::id)
        .containsExactly("p00x");
  }

  @Test
  void statesOfAnAuthor_inPages_areAllItsPosts() throws IOException {
    for (int i = 0; i < 25; i++) {
      index.putPost(post("p%02d".formatted(i), i % 5 == 4 ? "b" : "a", "text"), "" + i);
    }
    index.deletePost("p07", "99");
    index.putAccount(new IndexedAccount("a", "ada", "Ada"), "1");
    index.refresh();

    for (int size : List.of(1, 5, 19, 100)) {
      var ids = new ArrayList<String>();
      var after = "";
      while (true) {
        var page = index.statesOf("a", after, size);
        page.forEach(state -> ids.add(state.id()));
        if (page.size() < size) {
          break;
        }
        after = page.getLast().id();
      }
      assertThat(ids).hasSize(19).doesNotContain("p04", "p07").isSorted().doesNotHaveDuplicates();
    }
    assertThat(index.statesOf("a", "p22", 10))
        .extracting(IndexState::kind, IndexState::id, IndexState::version)
        .containsExactly(tuple(EntryKind.POST, "p23", "23"));
    assertThat(index.statesOf("c", "", 10)).isEmpty();
  }

  @Test
  void replacement_ofTheStateThatWasRead_keepsItsVersion() throws IOException {
    index.putPost(post("p", "a", "wrong"), "5");
    assertThat(index.replace(post("p", "a", "right"), "5")).isTrue();
    index.refresh();
    assertThat(ids(PostQuery.of("right"))).containsExactly("p");
    assertThat(ids(PostQuery.of("wrong"))).isEmpty();

    index.putPost(post("p", "a", "stale"), "5");
    index.putPost(post("p", "a", "stale"), "4");
    index.refresh();
    assertThat(ids(PostQuery.of("right"))).containsExactly("p");
    index.putPost(post("p", "a", "later"), "6");
    index.refresh();
    assertThat(ids(PostQuery.of("later"))).containsExactly("p");
  }

  @Test
  void replacement_afterAnotherWrite_changesNothing() throws IOException {
    index.putPost(post("p", "a", "first"), "1");
    index.putPost(post("p", "a", "later"), "2");
    index.deletePost("gone", "3");

    assertThat(index.replace(post("p", "a", "stale"), "1")).isFalse();
    assertThat(index.remove(EntryKind.POST, "p", "1")).isFalse();
    assertThat(index.replace(post("gone", "a", "stale"), SearchIndex.NO_VERSION)).isFalse();
    index.refresh();
    assertThat(ids(PostQuery.of("later"))).containsExactly("p");
    assertThat(ids(PostQuery.of("stale"))).isEmpty();
  }

  @Test
  void replacement_whereNothingWas_isBelowEachWrite() throws IOException {
    assertThat(index.replace(post("p", "a", "rebuilt"), SearchIndex.NO_VERSION)).isTrue();
    assertThat(index.replace(post("q", "a", "rebuilt"), "1")).isFalse();
    index.refresh();
    assertThat(ids(PostQuery.of("rebuilt"))).containsExactly("p");
    assertThat(index.replace(post("p", "a", "again"), SearchIndex.NO_VERSION)).isTrue();

    index.putPost(post("p", "a", "written"), "1");
    index.refresh();
    assertThat(ids(PostQuery.of(""))).containsExactly("p");
    assertThat(ids(PostQuery.of("written"))).containsExactly("p");
  }

  @Test
  void removal_leavesATombstoneWithTheVersion() throws IOException {
    index.putAccount(new IndexedAccount("u", "ada", "Ada"), "5");
    assertThat(index.remove(EntryKind.ACCOUNT, "u", "5")).isTrue();
    index.putAccount(new IndexedAccount("u", "ada", "Ada"), "5");
    index.refresh();
    assertThat(accounts("ada", 10)).isEmpty();

    index.putAccount(new IndexedAccount("u", "ada", "Ada"), "6");
    index.refresh();
    assertThat(accounts("ada", 10)).containsExactly("u");
  }

  @Test
  void words_allOfThem_mustOccur() throws IOException {
    put("p1", "the quick brown fox");
    put("p2", "a quick dog");
    index.refresh();

    assertThat(ids(PostQuery.of("quick"))).containsExactlyInAnyOrder("p1", "p2");
    assertThat(ids(PostQuery.of("QUICK fox"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("quick cat"))).isEmpty();
  }

  /** A text of 128 characters has up to 64 words, or 127 pairs of characters without spaces. */
  @Test
  void words_asManyAsATextHas_mustAllOccur() throws IOException {
    var words = IntStream.range(0, 63).mapToObj(i -> Character.toString('a' + i % 26)).toList();
    var text = String.join(" ", words);
    var line = "\u6f22\u5b57".repeat(63);
    put("p", text);
    put("line", line);
    index.refresh();

    assertThat(ids(PostQuery.of(text))).containsExactly("p");
    assertThat(ids(PostQuery.of(text + " 7"))).isEmpty();
    assertThat(ids(PostQuery.of('"' + text + '"'))).containsExactly("p");
    assertThat(ids(PostQuery.of('"' + text + " a\""))).isEmpty();
    assertThat(ids(PostQuery.of(line))).containsExactly("line");
    assertThat(ids(PostQuery.of(line + "\u6f22\u8a9e"))).isEmpty();
  }

  /** Each of these words is near fifty others, and an index refuses a query of too many terms. */
  @Test
  void accounts_byManyWordsThatAreNearOthers_areFound() throws IOException {
    var words = IntStream.range(0, 25).mapToObj(i -> Character.toString('a' + i) + "aaa").toList();
    index.putAccount(new IndexedAccount("all", "all", String.join(" ", words)), "1");
    for (var word : words) {
      var near =
          IntStream.rangeClosed('b', 'z')
              .mapToObj(Character::toString)
              .flatMap(other -> Stream.of("aa" + other, "a" + other + "a"))
              .map(ending -> word.charAt(0) + ending)
              .collect(Collectors.joining(" "));
      index.putAccount(new IndexedAccount("near-" + word, "near", near), "1");
    }
    index.refresh();

    assertThat(accounts(String.join(" ", words), 10)).containsExactly("all");
  }

  @Test
  void words_moreThanAreSearchedFor_findNothing() throws IOException {
    var text = "\u6f22\u5b57".repeat(SearchIndex.MAX_TERMS);
    put("p", text);
    index.putAccount(new IndexedAccount("u", "u", text), "1");
    index.refresh();

    assertThat(ids(PostQuery.of("\u6f22\u5b57"))).containsExactly("p");
    assertThat(ids(PostQuery.of(text))).isEmpty();
    assertThat(accounts(text, 10)).isEmpty();
    assertThat(index.highlights(text, text)).isEmpty();
  }

  /** Beginnings and errors are for accounts. */
  @Test
  void words_ofPosts_areWholeAndSpelledRight() throws IOException {
    put("p", "two houses");
    index.putAccount(new IndexedAccount("u", "houses", "Two"), "1");
    index.refresh();

    for (var other : List.of("house", "hous", "huoses", "housess")) {
      assertThat(ids(PostQuery.of(other))).as(other).isEmpty();
      assertThat(accounts(other, 10)).as(other).containsExactly("u");
    }
    assertThat(ids(PostQuery.of("houses"))).containsExactly("p");
  }

  @Test
  void quotedWords_mustBeNeighbours() throws IOException {
    put("p1", "new york in winter");
    put("p2", "a new flat in york");
    index.refresh();

    assertThat(ids(PostQuery.of("\"new york\""))).containsExactly("p1");
    assertThat(ids(PostQuery.of("\u201enew york\u201c winter"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("\"new york"))).containsExactlyInAnyOrder("p1", "p2");
  }

  @Test
  void accentsAndCase_doNotMatter() throws IOException {
    put("p1", "Ein Café in ZÜRICH");
    put("p2", "Привет Мир");
    put("p3", "مَرْحَبًا بالعالم");
    index.refresh();

    assertThat(ids(PostQuery.of("cafe zurich"))).containsExactly("p1");
    assertThat(ids(PostQuery.of("привет"))).containsExactly("p2");
    assertThat(ids(PostQuery.of("مرحبا"))).containsExactly("p3");
  }

  @Test
  void languagesWithoutSpaces_areFoundByAnyPart() throws IOException {
    put("zh", "我在北京大学学习计算机");
    put("ja", "東京タワーに行きました");
    put("ko", "학교에서 만나요");
    put("th", "ภาษาไทยง่ายมาก");
    put("mixed", "日本語 java が好き");
    index.refresh();

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
  void filters_authorTagAndTimes_allHold() throws IOException {
    index.putPost(new IndexedPost("p1", "a", "text", Set.of("java", "code"), NOW), "1");
    index.putPost(new IndexedPost("p2", "b", "text", Set.of("java"), NOW.plusSeconds(1)), "1");
    index.putPost(new IndexedPost("p3", "a", "text", Set.of(), NOW.plusSeconds(2)), "1");
    index.refresh();
    now = NOW.plusSeconds(3);

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

  @Test
  void order_newerAndMoreRelevantPosts_comeFirst() throws IOException {
    putAt("p1", "coffee", NOW.minus(Duration.ofDays(400)));
    putAt("p2", "coffee", NOW.minus(Duration.ofDays(1)));
    putAt("p3", "coffee, once in a long text about many other things of the day", NOW);
    index.refresh();
    assertThat(ids(PostQuery.of("coffee"))).startsWith("p2").hasSize(3);

    putAt("p4", "tea tea tea", NOW);
    putAt("p5", "tea and bread, bread with butter, cheese, and a long walk home", NOW);
    index.refresh();
    assertThat(ids(PostQuery.of("tea"))).containsExactly("p4", "p5");
  }

  @Test
  void order_ofEqualPosts_isByIdTheHighestFirst() throws IOException {
    put("p2", "same");
    put("p3", "same");
    put("p1", "same");
    index.refresh();

    assertThat(ids(PostQuery.of("same"))).containsExactly("p3", "p2", "p1");
  }

  /**
   * An index that skips posts skips none that it must return. What a post scores is found by a
   * search for its author, who has no other post.
   */
  @Test
  void order_ofManyPosts_isThatOfTheirScoresAlone() throws IOException {
    int posts = manyPosts();
    var random = new Random(11);
    for (int i = 0; i < posts; i++) {
      var text =
          "tea ".repeat(random.nextInt(4))
              + "cup ".repeat(random.nextInt(3))
              + "milk ".repeat(random.nextInt(9));
      var at = NOW.minus(Duration.ofHours(random.nextInt(4) * random.nextInt(3_000)));
      index.putPost(new IndexedPost(id(i), "a" + i, text, Set.of(), at), "1");
      if (i % 10 == 9) {
        index.deletePost(id(random.nextInt(i)), "2");
      }
      if (i % (posts / 4) == 0) {
        index.refresh();
      }
    }
    index.refresh();
    for (var words : List.of("tea", "tea cup", "\"tea cup\"", "")) {
      var expected = new ArrayList<PostHit>();
      for (int i = 0; i < posts; i++) {
        expected.addAll(index.findPosts(new PostQuery(words, "a" + i, null, null, null), null, 1));
      }
      expected.sort(
          Comparator.comparing((PostHit hit) -> hit.position().score())
              .thenComparing(PostHit::id)
              .reversed());
      int deepest = Math.min(expected.size(), SearchIndex.MAX_DEPTH);
      for (int size : List.of(13, SearchIndex.MAX_HITS)) {
        assertThat(scores(listed(PostQuery.of(words), size)))
            .as("%s in pages of %d", words, size)
            .isEqualTo(scores(expected.subList(0, deepest)));
      }
    }
  }

  /** How many posts an order is checked with. */
  protected int manyPosts() {
    return 200;
  }

  private static String id(int number) {
    return "p%05d".formatted(number);
  }

  private static List<String> scores(List<PostHit> hits) {
    return hits.stream().map(hit -> hit.id() + " " + hit.position().score()).toList();
  }

  private List<PostHit> listed(PostQuery query, int size) throws IOException {
    var all = new ArrayList<PostHit>();
    SearchPosition position = null;
    while (true) {
      var page = index.findPosts(query, position, size);
      if (page.isEmpty()) {
        return all;
      }
      all.addAll(page);
      position = page.getLast().position();
    }
  }

  @Test
  void pages_ofAnySize_areTheSameListWhileOthersWrite() throws IOException {
    var random = new Random(7);
    for (int i = 0; i < 60; i++) {
      var text = "word " + "filler ".repeat(random.nextInt(4));
      putAt("p%03d".formatted(i), text, NOW.minus(Duration.ofHours(random.nextInt(5))));
    }
    index.refresh();
    var whole = ids(PostQuery.of("word"));
    assertThat(whole).hasSize(60).doesNotHaveDuplicates();

    int added = 0;
    for (int size : List.of(1, 7, 25, 60)) {
      now = NOW;
      var pages = new ArrayList<String>();
      SearchPosition position = null;
      for (var page = page(position, size); !page.isEmpty(); page = page(position, size)) {
        assertThat(page).hasSizeLessThanOrEqualTo(size);
        page.forEach(hit -> pages.add(hit.id()));
        position = page.getLast().position();
        now = now.plus(Duration.ofDays(3));
        putAt("new%03d".formatted(added++), "word and other words", NOW);
        index.deletePost("new%03d".formatted(added / 2), "2");
        index.refresh();
      }
      pages.removeIf(id -> id.startsWith("new"));
      assertThat(pages).containsExactlyElementsOf(whole);
    }
  }

  private List<PostHit> page(@Nullable SearchPosition after, int size) throws IOException {
    return index.findPosts(PostQuery.of("word"), after, size);
  }

  @Test
  void depth_isBounded() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_DEPTH + 5; i++) {
      put("p%05d".formatted(i), "deep");
    }
    index.refresh();
    int found = 0;
    SearchPosition position = null;
    while (true) {
      var page = index.findPosts(PostQuery.of("deep"), position, 99);
      if (page.isEmpty()) {
        break;
      }
      found += page.size();
      position = page.getLast().position();
    }

    assertThat(found).isEqualTo(SearchIndex.MAX_DEPTH);
  }

  @Test
  void words_ofAnyKind_areNoError() throws IOException {
    put("p", "text");
    index.refresh();
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
      assertThat(index.findPosts(PostQuery.of(words), null, 10)).as(words).isEmpty();
      assertThat(accounts(words, 10)).as(words).isEmpty();
    }
    var random = new Random(1);
    var signs = "\"a 字~*():/\\ü\ud83d\ude00\u0301";
    for (int i = 0; i < 500; i++) {
      var words = new StringBuilder();
      for (int j = random.nextInt(20); j >= 0; j--) {
        words.append(signs.charAt(random.nextInt(signs.length())));
      }
      index.findPosts(PostQuery.of(words.toString()), null, 10);
      accounts(words.toString(), 10);
    }
  }

  @Test
  void requests_beyondTheirBounds_areRefused() {
    var tooLong = "x".repeat(SearchIndex.MAX_WORDS + 1);
    assertThatIllegalArgumentException().isThrownBy(() -> PostQuery.of(tooLong));
    assertThatIllegalArgumentException().isThrownBy(() -> accounts(tooLong, 1));
    for (int limit : List.of(0, -1, SearchIndex.MAX_HITS + 1)) {
      assertThatIllegalArgumentException().isThrownBy(() -> accounts("x", limit));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index.statesAfter(EntryKind.POST, "", 10 * limit));
      assertThatIllegalArgumentException().isThrownBy(() -> index.statesOf("a", "", 10 * limit));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> index.findPosts(PostQuery.of("x"), null, limit));
    }
  }

  @Test
  void accounts_exactWordsThenBeginningsThenMisspelledOnes() throws IOException {
    index.putAccount(new IndexedAccount("u1", "johnson", "Someone Else"), "1");
    index.putAccount(new IndexedAccount("u2", "john", "Jo"), "1");
    index.putAccount(new IndexedAccount("u3", "johan_k", "Johan Kruse"), "1");
    index.putAccount(new IndexedAccount("u4", "mary", "Mary"), "1");
    index.refresh();

    assertThat(accounts("john", 10)).containsExactly("u2", "u1", "u3");
    assertThat(accounts("john", 1)).containsExactly("u2");
    assertThat(accounts("j", 10)).containsExactly("u3", "u2", "u1");
  }

  @Test
  void accounts_byPartsAccentsAndErrors_areFound() throws IOException {
    index.putAccount(new IndexedAccount("u1", "ada_lovelace", "Ada Lovelace"), "1");
    index.putAccount(new IndexedAccount("u2", "jf", "Jürgen Größer"), "1");
    index.putAccount(new IndexedAccount("u3", "tanaka", "田中太郎"), "1");
    index.refresh();

    for (var words : List.of("lovelace", "ada_love", "ada lov", "LOVELAEC", "lovlace", "@ada")) {
      assertThat(accounts(words, 10)).as(words).containsExactly("u1");
    }
    assertThat(accounts("jurgen", 10)).containsExactly("u2");
    assertThat(accounts("grosser", 10)).containsExactly("u2");
    assertThat(accounts("田中", 10)).containsExactly("u3");
    assertThat(accounts("太郎", 10)).containsExactly("u3");
    assertThat(accounts("ada turing", 10)).isEmpty();
    assertThat(accounts("bda", 10)).isEmpty();
    assertThat(accounts(" ", 10)).isEmpty();
  }

  @Test
  void account_thatChanged_isNotFoundByItsFormerName() throws IOException {
    index.putAccount(new IndexedAccount("u", "first", "First"), "1");
    index.putAccount(new IndexedAccount("u", "other", "Other"), "2");
    index.refresh();

    assertThat(accounts("first", 10)).isEmpty();
    assertThat(accounts("other", 10)).containsExactly("u");
  }

  /** Of each way to be found there are several, some of one handle: a late index may have that. */
  private List<String> putManyAccounts() throws IOException {
    var names = List.of("marlon", "marlons", "marlom", "x marlon", "marlonski y");
    for (int i = 0; i < 60; i++) {
      var handle = "h%d".formatted(i % 23);
      putAccount("u%02d".formatted(i * 7 % 60), handle, names.get(i % names.size()));
    }
    putAccount("other", "h1", "Someone");
    index.refresh();
    var whole = accounts("marlon", SearchIndex.MAX_HITS);
    assertThat(whole).hasSize(60).doesNotHaveDuplicates().doesNotContain("other");
    return whole;
  }

  @Test
  void accounts_ofOneScore_areByHandleAndThenById() throws IOException {
    putAccount("u3", "same", "Ada");
    putAccount("u1", "same", "Ada");
    putAccount("u2", "same", "Ada");
    putAccount("u4", "before", "Ada");
    index.refresh();

    assertThat(accounts("ada", 10)).containsExactly("u4", "u1", "u2", "u3");
  }

  @Test
  void pagesOfAccounts_ofAnySize_areTheSameListWhileOthersWrite() throws IOException {
    var whole = putManyAccounts();
    for (int size : List.of(1, 7, 25, 59, 60, 100)) {
      assertThat(accountsInPages(size, () -> {})).as("pages of %d", size).isEqualTo(whole);
    }
    var added = new AtomicInteger();
    for (int size : List.of(1, 7, 25)) {
      var pages =
          accountsInPages(
              size,
              () -> {
                int number = added.getAndIncrement();
                putAccount("new%03d".formatted(number), "h" + number % 23, "marlon");
                index.deleteAccount("new%03d".formatted(number / 2), "2");
                index.refresh();
              });
      pages.removeIf(id -> id.startsWith("new"));
      assertThat(pages).as("pages of %d", size).isEqualTo(whole);
    }
  }

  @Test
  void pagesOfAccounts_behindOneThatIsGone_goOnThere() throws IOException {
    var whole = putManyAccounts();
    var first = index.findAccounts("marlon", null, 20);
    var last = first.getLast();
    index.deleteAccount(last.id(), "2");
    var other = first.get(7).id();
    putAccount(other, "zz", "Someone", "2");
    index.refresh();

    var rest = index.findAccounts("marlon", last.position(), SearchIndex.MAX_HITS);

    assertThat(rest).extracting(AccountHit::id).isEqualTo(whole.subList(20, 60));
    assertThat(index.findAccounts("absent", last.position(), 10)).isEmpty();
  }

  @Test
  void depthOfAccounts_isBounded() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_DEPTH + 5; i++) {
      putAccount("u%04d".formatted(i), "deep%04d".formatted(i), "Deep");
    }
    index.refresh();
    var found = new ArrayList<String>();
    AccountPosition position = null;
    while (true) {
      var page = index.findAccounts("deep", position, 99);
      if (page.isEmpty()) {
        break;
      }
      page.forEach(hit -> found.add(hit.id()));
      position = page.getLast().position();
    }

    assertThat(found).hasSize(SearchIndex.MAX_DEPTH).isSorted().doesNotHaveDuplicates();
  }

  /** All accounts of a search, with a write after each page. */
  private List<String> accountsInPages(int size, Between between) throws IOException {
    var ids = new ArrayList<String>();
    AccountPosition position = null;
    while (true) {
      var page = index.findAccounts("marlon", position, size);
      assertThat(page).hasSizeLessThanOrEqualTo(size);
      if (page.isEmpty()) {
        return ids;
      }
      page.forEach(hit -> ids.add(hit.id()));
      position = page.getLast().position();
      between.pages();
    }
  }

  /** What happens between two pages. */
  private interface Between {
    void pages() throws IOException;
  }

  private void putAccount(String id, String handle, String name) throws IOException {
    putAccount(id, handle, name, "1");
  }

  private void putAccount(String id, String handle, String name, String version)
      throws IOException {
    index.putAccount(new IndexedAccount(id, handle, name), version);
  }

  private List<String> accounts(String words, int limit) throws IOException {
    return accounts(index, words, limit);
  }

  protected static List<String> accounts(SearchIndex index, String words, int limit)
      throws IOException {
    return index.findAccounts(words, null, limit).stream().map(AccountHit::id).toList();
  }

  private void put(String id, String text) throws IOException {
    putAt(id, text, NOW);
  }

  private void putAt(String id, String text, Instant at) throws IOException {
    index.putPost(new IndexedPost(id, "a", text, Set.of(), at), "1");
  }

  protected static IndexedPost post(String id, String author, String text) {
    return new IndexedPost(id, author, text, Set.of(), NOW);
  }

  private List<String> ids(PostQuery query) throws IOException {
    return ids(index, query);
  }

  protected static List<String> ids(SearchIndex index, PostQuery query) throws IOException {
    return index.findPosts(query, null, SearchIndex.MAX_HITS).stream().map(PostHit::id).toList();
  }

  private static <T> List<List<T>> ordersOf(List<T> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    var orders = new ArrayList<List<T>>();
    for (int i = 0; i < items.size(); i++) {
      var others = new ArrayList<>(items);
      var first = others.remove(i);
      for (var order : ordersOf(others)) {
        var all = new ArrayList<T>(List.of(first));
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }
}
