package social.feed.table.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

class ContinuedMergeTest {
  private static final Comparator<String> NEWEST_FIRST = Comparator.reverseOrder();

  /** A list in memory. Counts its pages. */
  private static final class Posts implements FeedSource {
    private final List<String> positions;
    private final int belowItsEnd;
    private int pages;

    /**
     * @param belowItsEnd how many posts of a page are below its end, so that the next page has them
     *     again
     */
    private Posts(List<String> positions, int belowItsEnd) {
      this.positions = positions;
      this.belowItsEnd = belowItsEnd;
    }

    @Override
    public Page<FeedRef> page(PageRequest request) {
      pages++;
      @Nullable String after = request.after();
      var rest = positions.stream().filter(p -> after == null || p.compareTo(after) < 0).toList();
      var found = rest.subList(0, Math.min(request.limit() + belowItsEnd, rest.size()));
      return new Page<>(
          found.stream().map(ContinuedMergeTest::slot).toList(),
          rest.size() < request.limit() ? null : found.get(request.limit() - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void pages_ofRandomSources_concatenateToTheWholeList(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      var all = numbered(random.nextInt(80));
      var sources = distributed(all, 1 + random.nextInt(5), random);

      assertThat(read(sources, 1 + random.nextInt(5), () -> 1 + random.nextInt(9))).isEqualTo(all);
    }
  }

  @Test
  void pages_ofMoreThanIsKept_concatenateToTheWholeList() {
    var all = numbered(7_000);
    var sources = distributed(all, 300, new Random(1));

    assertThat(read(sources, 10, () -> 50)).isEqualTo(all);
  }

  @Test
  void lists_areReadOnce_andOnlyTheLongOneIsReadOn() {
    var numbers = numbered(500);
    var busy = new Posts(numbers.subList(0, 400), 1);
    var quiet = numbers.subList(400, 500).stream().map(one -> new Posts(List.of(one), 0)).toList();
    var sources = new ArrayList<>(quiet);
    sources.add(busy);

    assertThat(read(sources, 10, () -> 50)).isEqualTo(numbers);

    assertThat(quiet).allSatisfy(one -> assertThat(one.pages).isEqualTo(1));
    // Ten posts at first, forty more for the first page and fifty for each other one.
    assertThat(busy.pages).isLessThanOrEqualTo(1 + 400 / 50 + 1);
  }

  /** A page of another place begins from the start. */
  @Test
  void merge_continuesOnlyBelowWhatItReturned_andNotBelowAGap() {
    var merge = new ContinuedMerge(List.of(new Posts(numbered(40), 0)), new PageRequest(10, null));
    var next = merge.page(PageRequest.first(5)).next();

    assertThat(merge.continuesAt(next)).isTrue();
    assertThat(merge.continuesAt(null)).isFalse();
    assertThat(merge.continuesAt("0001")).as("unknown").isFalse();
    merge.page(new PageRequest(2, next));
    assertThat(merge.continuesAt("9999")).as("returned").isFalse();
  }

  /** Otherwise a request that hides all of them would go on without end. */
  @Test
  void page_thatIsReadFromMemory_counts() {
    var merge = new ContinuedMerge(List.of(new Posts(numbered(40), 0)), new PageRequest(20, null));
    var next = merge.page(PageRequest.first(5)).next();

    assertThat(merge.page(new PageRequest(5, next)).examined()).isEqualTo(5);
  }

  private static List<String> numbered(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> "%04d".formatted(number))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  private static List<Posts> distributed(List<String> all, int number, Random random) {
    List<List<String>> lists = new ArrayList<>();
    IntStream.range(0, number).forEach(_ -> lists.add(new ArrayList<>()));
    all.forEach(one -> lists.get(random.nextInt(number)).add(one));
    return lists.stream().map(list -> new Posts(list, random.nextInt(3))).toList();
  }

  private interface Limits {
    int next();
  }

  private static List<String> read(List<Posts> sources, int each, Limits limits) {
    var merge = new ContinuedMerge(sources, new PageRequest(each, null));
    var all = new ArrayList<String>();
    @Nullable String after = null;
    do {
      assertThat(after == null || merge.continuesAt(after)).isTrue();
      int limit = limits.next();
      var page = merge.page(new PageRequest(limit, after));
      assertThat(page.slots()).hasSizeLessThanOrEqualTo(limit);
      page.slots().forEach(slot -> all.add(slot.position()));
      after = page.next();
    } while (after != null);
    return all;
  }

  private static Positioned<FeedRef> slot(String position) {
    return new Positioned<>(position, new FeedRef(position, "author", Instant.EPOCH));
  }
}
