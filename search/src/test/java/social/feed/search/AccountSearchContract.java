package social.feed.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which accounts a search finds, and their order in pages of any size. */
interface AccountSearchContract extends OpenIndex {
  /** Each of these words is near fifty others, and an index refuses a query of too many terms. */
  @Test
  default void accounts_byManyWordsThatAreNearOthers_areFound() throws IOException {
    var words = IntStream.range(0, 25).mapToObj(i -> Character.toString('a' + i) + "aaa").toList();
    index().putAccount(new IndexedAccount("all", "all", String.join(" ", words)), "1");
    for (var word : words) {
      var near =
          IntStream.rangeClosed('b', 'z')
              .mapToObj(Character::toString)
              .flatMap(other -> Stream.of("aa" + other, "a" + other + "a"))
              .map(ending -> word.charAt(0) + ending)
              .collect(Collectors.joining(" "));
      index().putAccount(new IndexedAccount("near-" + word, "near", near), "1");
    }
    index().refresh();

    assertThat(accounts(String.join(" ", words), 10)).containsExactly("all");
  }

  @Test
  default void accounts_exactWordsThenBeginningsThenMisspelledOnes() throws IOException {
    index().putAccount(new IndexedAccount("u1", "johnson", "Someone Else"), "1");
    index().putAccount(new IndexedAccount("u2", "john", "Jo"), "1");
    index().putAccount(new IndexedAccount("u3", "johan_k", "Johan Kruse"), "1");
    index().putAccount(new IndexedAccount("u4", "mary", "Mary"), "1");
    index().refresh();

    assertThat(accounts("john", 10)).containsExactly("u2", "u1", "u3");
    assertThat(accounts("john", 1)).containsExactly("u2");
    assertThat(accounts("j", 10)).containsExactly("u3", "u2", "u1");
  }

  @Test
  default void accounts_byPartsAccentsAndErrors_areFound() throws IOException {
    index().putAccount(new IndexedAccount("u1", "ada_lovelace", "Ada Lovelace"), "1");
    index().putAccount(new IndexedAccount("u2", "jf", "Jürgen Größer"), "1");
    index().putAccount(new IndexedAccount("u3", "tanaka", "田中太郎"), "1");
    index().refresh();

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
  default void account_thatChanged_isNotFoundByItsFormerName() throws IOException {
    index().putAccount(new IndexedAccount("u", "first", "First"), "1");
    index().putAccount(new IndexedAccount("u", "other", "Other"), "2");
    index().refresh();

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
    index().refresh();
    var whole = accounts("marlon", SearchIndex.MAX_HITS);
    assertThat(whole).hasSize(60).doesNotHaveDuplicates().doesNotContain("other");
    return whole;
  }

  @Test
  default void accounts_ofOneScore_areByHandleAndThenById() throws IOException {
    putAccount("u3", "same", "Ada");
    putAccount("u1", "same", "Ada");
    putAccount("u2", "same", "Ada");
    putAccount("u4", "before", "Ada");
    index().refresh();

    assertThat(accounts("ada", 10)).containsExactly("u4", "u1", "u2", "u3");
  }

  @Test
  default void pagesOfAccounts_ofAnySize_areTheSameListWhileOthersWrite() throws IOException {
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
                index().deleteAccount("new%03d".formatted(number / 2), "2");
                index().refresh();
              });
      pages.removeIf(id -> id.startsWith("new"));
      assertThat(pages).as("pages of %d", size).isEqualTo(whole);
    }
  }

  @Test
  default void pagesOfAccounts_behindOneThatIsGone_goOnThere() throws IOException {
    var whole = putManyAccounts();
    var first = index().findAccounts("marlon", null, 20);
    var last = first.getLast();
    index().deleteAccount(last.id(), "2");
    var other = first.get(7).id();
    putAccount(other, "zz", "Someone", "2");
    index().refresh();

    var rest = index().findAccounts("marlon", last.position(), SearchIndex.MAX_HITS);

    assertThat(rest).extracting(AccountHit::id).isEqualTo(whole.subList(20, 60));
    assertThat(index().findAccounts("absent", last.position(), 10)).isEmpty();
  }

  @Test
  default void depthOfAccounts_isBounded() throws IOException {
    for (int i = 0; i < SearchIndex.MAX_DEPTH + 5; i++) {
      putAccount("u%04d".formatted(i), "deep%04d".formatted(i), "Deep");
    }
    index().refresh();
    var found = new ArrayList<String>();
    AccountPosition position = null;
    while (true) {
      var page = index().findAccounts("deep", position, 99);
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
      var page = index().findAccounts("marlon", position, size);
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
  interface Between {
    void pages() throws IOException;
  }
}
