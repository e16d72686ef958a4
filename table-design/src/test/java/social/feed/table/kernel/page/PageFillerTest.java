package social.feed.table.kernel.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageFillerTest {
  /** A stored list of numbers with zero-padded positions, as an index would return it. */
  private record Stored(List<Integer> numbers, List<Integer> fetched) {
    static Stored upTo(int size) {
      return new Stored(IntStream.range(0, size).boxed().toList(), new ArrayList<>());
    }

    Page<Integer> fetch(PageRequest request) {
      fetched.add(request.limit());
      var after = request.after();
      var rest = numbers.subList(after == null ? 0 : Integer.parseInt(after) + 1, numbers.size());
      var slots =
          rest.stream().limit(request.limit()).map(n -> new Positioned<>(position(n), n)).toList();
      return new Page<>(slots, rest.size() > slots.size() ? slots.getLast().position() : null);
    }

    Page<Integer> page(PageRequest request, IntPredicate visible) {
      return PageFiller.fill(
          request,
          this::fetch,
          slots -> slots.stream().filter(slot -> visible.test(slot.item())).toList());
    }

    private static String position(int number) {
      return "%08d".formatted(number);
    }
  }

  @Test
  void fill_nothingHidden_isOneFullFetch() {
    var stored = Stored.upTo(100);

    var page = stored.page(PageRequest.first(50), _ -> true);

    assertThat(page.items()).hasSize(50);
    assertThat(page.next()).isEqualTo(page.slots().getLast().position());
    assertThat(stored.fetched).containsExactly(51);
  }

  @Test
  void fill_nineOfTenHidden_isFull() {
    var page = Stored.upTo(1_000).page(PageRequest.first(20), n -> n % 10 == 0);

    assertThat(page.items()).hasSize(20);
    assertThat(page.items().getLast()).isEqualTo(190);
    assertThat(page.next()).isNotNull();
  }

  @Test
  void fill_emptyList_hasNoNext() {
    assertThat(Stored.upTo(0).page(PageRequest.first(5), _ -> true)).isEqualTo(nothing());
  }

  @Test
  void fill_allHidden_isEmptyWithoutNext() {
    assertThat(Stored.upTo(300).page(PageRequest.first(5), _ -> false)).isEqualTo(nothing());
  }

  @Test
  void fill_lastVisibleItemOnThePage_hasNoNextThoughHiddenOnesFollow() {
    var page = Stored.upTo(500).page(PageRequest.first(5), n -> n < 5);

    assertThat(page.items()).containsExactly(0, 1, 2, 3, 4);
    assertThat(page.next()).isNull();
  }

  @Test
  void fill_anyHiding_givesFullPagesThatConcatenateToTheVisibleItems() {
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      var stored = Stored.upTo(random.nextInt(200));
      var hidden = random.ints(stored.numbers.size(), 0, 4).toArray();
      int limit = 1 + random.nextInt(60);
      IntPredicate visible = n -> hidden[n] == 0;
      assertThat(readAll(stored, limit, visible))
          .as("seed %s", seed)
          .isEqualTo(stored.numbers.stream().filter(visible::test).toList());
    }
  }

  @Test
  void fill_moreHiddenThanMayBeExamined_stopsAndContinuesThere() {
    var stored = Stored.upTo(10_000);
    IntPredicate visible = n -> n >= 9_990;

    var page = stored.page(PageRequest.first(50), visible);

    assertThat(page.items()).isEmpty();
    int examined = stored.fetched.stream().mapToInt(n -> n).sum();
    assertThat(examined).isBetween(PageFiller.MAX_EXAMINED, PageFiller.MAX_EXAMINED + 51);
    assertThat(page.next()).isEqualTo(Stored.position(examined - 1));
    assertThat(readOn(stored, page.next(), visible)).hasSize(10);
  }

  @Test
  void fill_ofWhichPartIsFound_fetchesOnlyWhatIsMissing() {
    var stored = Stored.upTo(1_000);

    var page = stored.page(PageRequest.first(99), n -> n < 40 || n >= 100);

    assertThat(page.items()).hasSize(99);
    assertThat(stored.fetched).containsExactly(100, 60);
  }

  @Test
  void fill_mostHidden_neverFetchesMoreThanAPageAndOne() {
    var stored = Stored.upTo(1_000);

    stored.page(PageRequest.first(10), n -> n % 50 == 0);

    assertThat(stored.fetched).allMatch(limit -> limit <= 11);
  }

  @Test
  void fillSparse_examinesExactlyItsBound_inFetchesThatAreNotTiny() {
    var stored = Stored.upTo(2_000);

    var page = sparse(stored, PageRequest.first(1), _ -> false);

    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isEqualTo(Stored.position(499));
    assertThat(stored.fetched).hasSize(20).containsOnly(25);
  }

  @Test
  void fillSparse_ofAnySize_concatenatesToTheVisibleItems() {
    IntPredicate visible = n -> n % 7 == 0 || n > 1_800;
    for (int limit : List.of(1, 30, 400, 500)) {
      var stored = Stored.upTo(2_000);
      var all = new ArrayList<Integer>();
      @Nullable String position = null;
      do {
        var page = sparse(stored, new PageRequest(limit, position), visible);
        assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
        assertThat(stored.fetched.stream().mapToInt(n -> n).sum()).isLessThanOrEqualTo(500);
        stored.fetched.clear();
        all.addAll(page.items());
        position = page.next();
      } while (position != null);
      assertThat(all).isEqualTo(stored.numbers.stream().filter(visible::test).toList());
    }
  }

  @Test
  void fillBounded_nothingHidden_isOneFetchOfThePage() {
    for (int limit : List.of(1, 5, 50)) {
      var stored = Stored.upTo(1_000);

      var page = bounded(stored, PageRequest.first(limit), _ -> true);

      assertThat(page.items()).hasSize(limit);
      assertThat(stored.fetched).containsExactly(limit + 1);
    }
  }

  @Test
  void fillBounded_examinesExactlyItsBound_inFewFetches() {
    var stored = Stored.upTo(2_000);

    var page = bounded(stored, PageRequest.first(1), _ -> false);

    assertThat(page.items()).isEmpty();
    assertThat(page.next()).isEqualTo(Stored.position(499));
    assertThat(stored.fetched).hasSize(21).startsWith(2, 25).endsWith(23);
  }

  @Test
  void fillBounded_ofAnySize_concatenatesToTheVisibleItems() {
    IntPredicate visible = n -> n % 7 == 0 || n > 1_800;
    for (int limit : List.of(1, 30, 50)) {
      var stored = Stored.upTo(2_000);
      var all = new ArrayList<Integer>();
      @Nullable String position = null;
      do {
        var page = bounded(stored, new PageRequest(limit, position), visible);
        assertThat(page.next() == null || page.items().size() == limit).isTrue();
        assertThat(stored.fetched.stream().mapToInt(n -> n).sum()).isLessThanOrEqualTo(500);
        stored.fetched.clear();
        all.addAll(page.items());
        position = page.next();
      } while (position != null);
      assertThat(all).isEqualTo(stored.numbers.stream().filter(visible::test).toList());
    }
  }

  @Test
  void fillBounded_thatMayNotGoOn_isShort_andContinuesThere() {
    IntPredicate visible = n -> n % 7 == 0;
    var stored = Stored.upTo(100);

    var page = bounded(stored, PageRequest.first(20), visible, () -> stored.fetched.size() < 2);

    assertThat(stored.fetched).containsExactly(21, 25);
    assertThat(page.items()).containsExactly(0, 7, 14, 21, 28, 35, 42);
    assertThat(page.next()).isEqualTo(Stored.position(45));
    var rest = bounded(stored, new PageRequest(20, page.next()), visible);
    assertThat(rest.items()).containsExactly(49, 56, 63, 70, 77, 84, 91, 98);
    assertThat(rest.next()).isNull();
  }

  private static Page<Integer> bounded(Stored stored, PageRequest request, IntPredicate visible) {
    return bounded(stored, request, visible, () -> true);
  }

  private static Page<Integer> bounded(
      Stored stored, PageRequest request, IntPredicate visible, BooleanSupplier mayGoOn) {
    return PageFiller.fillBounded(
        request,
        stored::fetch,
        slots -> slots.stream().filter(slot -> visible.test(slot.item())).toList(),
        mayGoOn);
  }

  private static Page<Integer> sparse(Stored stored, PageRequest request, IntPredicate visible) {
    return PageFiller.fillSparse(
        request,
        stored::fetch,
        slots -> slots.stream().filter(slot -> visible.test(slot.item())).toList());
  }

  @Test
  void request_ofNoItem_isRejected() {
    assertThatIllegalArgumentException().isThrownBy(() -> PageRequest.first(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new PageRequest(-1, "x"));
  }

  private static Page<Integer> nothing() {
    return new Page<>(List.of(), null);
  }

  private static List<Integer> readAll(Stored stored, int limit, IntPredicate visible) {
    var all = new ArrayList<Integer>();
    var positions = new HashSet<String>();
    @Nullable String position = null;
    do {
      var page = stored.page(new PageRequest(limit, position), visible);
      if (page.next() != null) {
        assertThat(page.items()).hasSize(limit);
        assertThat(positions.add(page.next())).as("a new position: %s", page.next()).isTrue();
      }
      all.addAll(page.items());
      position = page.next();
    } while (position != null);
    return all;
  }

  private static List<Integer> readOn(Stored stored, @Nullable String from, IntPredicate visible) {
    var all = new ArrayList<Integer>();
    var positions = new HashSet<String>();
    for (var position = from; position != null; ) {
      assertThat(positions.add(position)).as("a new position: %s", position).isTrue();
      var page = stored.page(new PageRequest(50, position), visible);
      all.addAll(page.items());
      position = page.next();
    }
    return all;
  }
}
