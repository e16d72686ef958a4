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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
  private final SearchPlaces places = new SearchPlaces();
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

  @Test
  void furtherSearch_whosePlaceIsTaken_endsThePage() throws Exception {
    var isTaken = new CountDownLatch(SearchPlaces.AT_ONCE);
    var release = new CountDownLatch(1);
    Page<String> first;
    try (var others = Executors.newVirtualThreadPerTaskExecutor()) {
      first =
          page(
              null,
              () -> {
                for (int i = 0; i < SearchPlaces.AT_ONCE; i++) {
                  var _ = others.submit(() -> places.take("ann", () -> held(isTaken, release)));
                }
                await(isTaken);
              });
      release.countDown();
    }

    assertThat(searches).isEqualTo(1);
    assertThat(first.items()).isEmpty();
    assertThat(rest(first)).containsExactly("p000");
  }

  private static boolean held(CountDownLatch isTaken, CountDownLatch release) {
    isTaken.countDown();
    await(release);
    return true;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
    return page(after, () -> {});
  }

  /** Does something else after the first search. */
  private Page<String> page(@Nullable String after, Runnable meanwhile) {
    var search = new Searches(slow(), clock, places).begin("ann");
    return PageFiller.fillBounded(
        new PageRequest(20, after),
        request -> search.posts(TEA, request),
        slots -> {
          if (searches == 1) {
            meanwhile.run();
          }
          return slots.stream().filter(slot -> !hidden.contains(slot.item())).toList();
        },
        search::mayGoOn);
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
