package social.feed.table.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;

class FeedMergeTest {
  private static final Comparator<String> NEWEST_FIRST = Comparator.reverseOrder();

  @Test
  void of_noSources_isTheLastPage() {
    assertThat(Page.merged(List.of(), 3)).isEqualTo(new Page<FeedRef>(List.of(), null));
  }

  @Test
  void of_aCutSource_returnsNothingBelowItsFloor() {
    var cut = new Page<>(List.of(slot("9"), slot("7")), "7");
    var whole = new Page<>(List.of(slot("8"), slot("3")), null);

    var merged = Page.merged(List.of(cut, whole), 10);

    assertThat(positions(merged)).containsExactly("9", "8", "7");
    assertThat(merged.next()).isEqualTo("7");
  }

  /** A source that filters its items can be cut without any result. */
  @Test
  void of_anEmptyCutSource_keepsItsFloor() {
    var filtered = new Page<FeedRef>(List.of(), "5");
    var whole = new Page<>(List.of(slot("8"), slot("3")), null);

    var merged = Page.merged(List.of(filtered, whole), 10);

    assertThat(positions(merged)).containsExactly("8");
    assertThat(merged.next()).isEqualTo("5");
  }

  /** The items of other sources are read again for the next page. */
  @Test
  void of_filteredSources_returnsTheLargestExaminedCount() {
    var filtered = new Page<FeedRef>(List.of(), "5", 25);
    var whole = new Page<>(List.of(slot("8"), slot("3")), null);

    assertThat(Page.merged(List.of(filtered, whole), 10).examined()).isEqualTo(25);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void pages_ofRandomSources_concatenateToTheWholeList(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      var sources = sources(random);
      var whole = sources.stream().flatMap(List::stream).sorted(NEWEST_FIRST).toList();
      int limit = 1 + random.nextInt(7);

      assertThat(read(sources, limit, random)).isEqualTo(whole);
    }
  }

  /** More sources than are read at once. */
  @Test
  void read_ofManySources_isThePageOfAllOfThem() {
    var sources = IntStream.range(10, 50).mapToObj(i -> List.of(i + "b", i + "a")).toList();
    var part = new PageRequest(2, "48b");

    var page = FeedMerge.read(sources.stream().map(FeedMergeTest::source).toList(), part, 3);

    assertThat(positions(page)).containsExactly("48a", "47b", "47a");
    assertThat(page.next()).isEqualTo("47a");
    assertThat(page.examined()).isEqualTo(2);
  }

  @Test
  void read_ofMoreThanAPage_endsAtTheLimit() {
    var sources = List.of(source(List.of("9", "6")), source(List.of("8", "7")));

    var page = FeedMerge.read(sources, PageRequest.first(5), 3);

    assertThat(positions(page)).containsExactly("9", "8", "7");
    assertThat(page.next()).isEqualTo("7");
  }

  private static FeedSource source(List<String> positions) {
    return request -> part(positions, request.after(), request.limit());
  }

  /** Returns distinct positions, distributed over some sources. */
  private static List<List<String>> sources(Random random) {
    List<List<String>> sources = new ArrayList<>();
    int number = 1 + random.nextInt(4);
    IntStream.range(0, number).forEach(_ -> sources.add(new ArrayList<>()));
    for (int i = random.nextInt(60); i > 0; i--) {
      sources.get(random.nextInt(number)).add("%03d".formatted(i));
    }
    return sources;
  }

  private static List<String> read(List<List<String>> sources, int limit, Random random) {
    var all = new ArrayList<String>();
    var before = new HashSet<String>();
    @Nullable String after = null;
    do {
      assertThat(after == null || before.add(after)).as("a new position: %s", after).isTrue();
      var position = after;
      var page =
          Page.merged(
              sources.stream().map(s -> part(s, position, 1 + random.nextInt(limit))).toList(),
              limit);
      assertThat(page.slots().size()).isLessThanOrEqualTo(limit);
      all.addAll(positions(page));
      after = page.next();
    } while (after != null);
    return all;
  }

  /** Returns the result of a query, which may be cut at its end. */
  private static Page<FeedRef> part(List<String> source, @Nullable String after, int limit) {
    var rest = source.stream().filter(p -> after == null || p.compareTo(after) < 0).toList();
    var part = rest.subList(0, Math.min(limit, rest.size()));
    return new Page<>(
        part.stream().map(FeedMergeTest::slot).toList(),
        part.size() == limit ? part.getLast() : null);
  }

  private static Positioned<FeedRef> slot(String position) {
    return new Positioned<>(position, new FeedRef(position, "author", Instant.EPOCH));
  }

  private static List<String> positions(Page<FeedRef> page) {
    return page.slots().stream().map(Positioned::position).toList();
  }
}
