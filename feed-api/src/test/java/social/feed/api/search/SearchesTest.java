package social.feed.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.api.edge.problem.ProblemException;
import social.feed.search.IndexedPost;
import social.feed.search.PostQuery;
import social.feed.search.SearchIndex;
import social.feed.search.SearchTimeoutException;
import social.feed.search.lucene.LuceneIndex;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.testkit.SteppingClock;

/** Pages of an index whose searches take a while, and most of whose posts are hidden. */
class SearchesTest {
  private static final int POSTS = 300;
  private static final Duration SEARCH = Searches.LONGEST_PAGE.dividedBy(4);
  private static final PostQuery TEA = new PostQuery("tea", null, null, null, null);

  private final SteppingClock clock = new SteppingClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final List<String> hidden = new ArrayList<>();
  private LuceneIndex found;
  private int searches;

  /** The search that takes too long, counted from 1. */
  private int tooLong;

  @BeforeEach
  void start() throws IOException {
    found = LuceneIndex.inMemory(clock, Duration.ofMinutes(1));
    for (int i = 0; i < POSTS; i++) {
      var id = "p%03d".formatted(i);
      found.putPost(new IndexedPost(id, "bob", "tea", Set.of(), clock.instant()), "1");
      hidden.add(id);
    }
    found.refresh();
    hidden.remove("p000");
  }

  @AfterEach
  void stop() throws IOException {
    found.close();
  }

  @Test
  void page_ofHiddenPosts_beginsNoSearchAfterItsTime_andContinuesThere() {
    var first = page(null);

    assertThat(searches).isEqualTo(4);
    assertThat(first.items()).isEmpty();
    assertThat(rest(first)).containsExactly("p000");
    assertThat(searches).as("each post once").isBetween(POSTS / 25, POSTS / 25 + 4);
  }

  @Test
  void furtherSearch_thatTakesTooLong_endsThePage() {
    tooLong = 2;
    var first = page(null);

    assertThat(searches).isEqualTo(2);
    assertThat(first.items()).isEmpty();
    assertThat(rest(first)).containsExactly("p000");
  }

  @Test
  void firstSearch_thatTakesTooLong_failsThePage() {
    tooLong = 1;
    assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> page(null));
  }

  private List<String> rest(Page<String> before) {
    var all = new ArrayList<String>();
    for (var next = before.next(); next != null; ) {
      var page = page(next);
      all.addAll(page.items());
      next = page.next();
    }
    return all;
  }

  private Page<String> page(@Nullable String after) {
    var search = new Searches(slow(), clock, new SearchPlaces()).begin("ann");
    return PageFiller.fillBounded(
        new PageRequest(20, after),
        request -> search.posts(TEA, request),
        slots -> slots.stream().filter(slot -> !hidden.contains(slot.item())).toList(),
        search::hasTime);
  }

  /** The real index, whose searches move the clock. */
  private SearchIndex slow() {
    return (SearchIndex)
        Proxy.newProxyInstance(
            SearchIndex.class.getClassLoader(),
            new Class<?>[] {SearchIndex.class},
            (_, method, arguments) -> {
              searches++;
              clock.advance(searches == tooLong ? Searches.LONGEST_PAGE : SEARCH);
              if (searches == tooLong) {
                throw new SearchTimeoutException(Searches.LONGEST_PAGE);
              }
              try {
                return method.invoke(found, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
