package social.feed.table.kernel.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupedPagerTest {
  private static final int MOST = 6;
  private static final int PLACES = 60;

  /** Tests hide the items from this number on. */
  private static final int HIDDEN = 1_000;

  /** Groups items by tens; a stretch has at most six items. */
  private static final GroupedPager.Rule<Integer> TENS = new Alike(10, MOST);

  private record Alike(int divisor, int most) implements GroupedPager.Rule<Integer> {
    @Override
    public String name(Integer item) {
      return "T" + item / divisor;
    }

    @Override
    public boolean continuesWith(SequencedMap<String, List<Integer>> stretch, Integer next) {
      return stretch.values().stream().mapToInt(List::size).sum() < most;
    }
  }

  /** The stored items by position. */
  private final NavigableMap<String, Integer> stored = new TreeMap<>(Comparator.reverseOrder());

  private static String key(int place) {
    return "K%05d".formatted(place);
  }

  /** Stores items, the newest first. */
  private void store(List<Integer> items) {
    for (int i = 0; i < items.size(); i++) {
      stored.put(key(10 * (items.size() - i)), items.get(i));
    }
  }

  private Page<Integer> fetch(PageRequest request) {
    var rest = request.after() == null ? stored : stored.tailMap(request.after(), false);
    var slots =
        rest.entrySet().stream()
            .limit(request.limit())
            .map(e -> new Positioned<>(e.getKey(), e.getValue()))
            .toList();
    boolean isAll = slots.size() == rest.size();
    return new Page<>(slots, isAll ? null : slots.getLast().position());
  }

  private Page<List<Integer>> page(int limit, @Nullable String after) {
    return page(limit, after, slots -> slots);
  }

  private Page<List<Integer>> page(
      int limit,
      @Nullable String after,
      Function<List<Positioned<Integer>>, List<Positioned<Integer>>> keep) {
    return GroupedPager.page(new PageRequest(limit, after), this::fetch, keep, TENS);
  }

  private List<List<Integer>> all(int limit) {
    var groups = new ArrayList<List<Integer>>();
    var positions = new HashSet<String>();
    @Nullable String after = null;
    do {
      assertThat(after == null || positions.add(after)).as("a new position: %s", after).isTrue();
      var page = page(limit, after);
      assertThat(page.slots().size()).isLessThanOrEqualTo(limit);
      groups.addAll(page.items());
      after = page.next();
    } while (after != null);
    return groups;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 100})
  void pagesOfAnySize_showTheSameGroups(int limit) {
    store(List.of(1, 11, 2, 12, 21, 3, 4, 13, 5, 14));

    assertThat(all(limit))
        .containsExactly(
            List.of(1, 2, 3), List.of(11, 12), List.of(21), List.of(4, 5), List.of(13, 14));
  }

  @Test
  void stretchLongerThanOneFetch_isWhole() {
    store(IntStream.range(0, 130).mapToObj(i -> 7).toList());

    var whole =
        GroupedPager.page(
            PageRequest.first(1), this::fetch, slots -> slots, new Alike(10, Integer.MAX_VALUE));

    assertThat(whole.items().getFirst()).hasSize(130);
    assertThat(whole.next()).isNull();
  }

  @Test
  void lastPage_hasNoNext_evenInsideAStretch() {
    store(List.of(1, 11, 2));

    var first = page(1, null);
    assertThat(first.items()).containsExactly(List.of(1, 2));
    var second = page(1, first.next());
    assertThat(second.items()).containsExactly(List.of(11));
    assertThat(second.next()).isNull();
    assertThat(page(2, null).next()).isNull();
  }

  @Test
  void groupWhoseNewestItemWasRemoved_isNotShownAgain() {
    store(List.of(1, 11, 2, 12));
    var first = page(1, null);
    stored.remove(stored.firstKey());

    assertThat(page(9, first.next()).items()).containsExactly(List.of(11, 12));
  }

  @Test
  void stretchWhoseFirstAndLastItemsWereRemoved_keepsItsEnd() {
    store(List.of(1, 11, 2, 12, 3, 13, 4, 14));
    var first = page(1, null);
    assertThat(first.items()).containsExactly(List.of(1, 2, 3));
    stored.remove(key(80));
    stored.remove(key(30));

    assertThat(page(9, first.next()).items())
        .as("4 follows the stretch whose first group was shown")
        .containsExactly(List.of(11, 12), List.of(4), List.of(14));
  }

  @Test
  void itemAddedAbove_isOnNoLaterPage_andItemAddedWithin_isOnTheNext() {
    store(List.of(1, 11, 2, 12));
    var first = page(1, null);
    stored.put(key(99), 31);
    stored.put(key(35), 41);

    assertThat(page(9, first.next()).items()).containsExactly(List.of(41), List.of(11, 12));
  }

  @Test
  void hiddenItem_isInNoGroup() {
    store(List.of(1, 11, 2));

    var page = page(5, null, slots -> slots.stream().filter(slot -> slot.item() < 10).toList());

    assertThat(page.items()).containsExactly(List.of(1, 2));
  }

  /** The next item shows that the page is full, whatever group it is of. */
  @Test
  void fullPage_readsNoFurther() {
    store(IntStream.range(0, 130).mapToObj(i -> 7).toList());

    var page = page(8, null);

    assertThat(page.items()).hasSize(8).allMatch(group -> group.size() == MOST);
    assertThat(page.examined()).isEqualTo(50);
  }

  /** So the next page does not read the stretch again. */
  @Test
  void pageThatEndsWithAStretch_continuesAfterTheLastItemOfIt() {
    store(List.of(1, 11, 2, 12, 3, 13, 4, 14));

    var page = page(2, null);

    assertThat(page.items()).containsExactly(List.of(1, 2, 3), List.of(11, 12, 13));
    assertThat(page.next()).isEqualTo(key(30));
  }

  /** The bound ends a page also where an earlier one began the stretch. */
  @Test
  void pageAfterAStretchAsLongAsThePage_stopsAtItsEnd() {
    var items = new ArrayList<>(List.of(1, 11));
    IntStream.range(0, PageFiller.MAX_EXAMINED - 3).map(i -> HIDDEN + i).forEach(items::add);
    items.add(2);
    IntStream.range(0, 100).map(i -> HIDDEN + i).forEach(items::add);
    store(items);
    Function<List<Positioned<Integer>>, List<Positioned<Integer>>> keep =
        slots -> slots.stream().filter(slot -> slot.item() < HIDDEN).toList();
    var first = page(1, null, keep);
    assertThat(first.items()).containsExactly(List.of(1, 2));

    var second = page(1, first.next(), keep);

    assertThat(second.items()).containsExactly(List.of(11));
    assertThat(second.examined()).isEqualTo(PageFiller.MAX_EXAMINED);
    assertThat(second.next()).isEqualTo(key(10 * 101));
  }

  @Test
  void emptyList_hasNoGroup() {
    assertThat(all(3)).isEmpty();
  }

  @Test
  void pageWithoutVisibleItem_stopsAndContinues() {
    store(IntStream.range(0, 2 * PageFiller.MAX_EXAMINED).boxed().toList());

    var page = page(1, null, slots -> List.of());

    assertThat(page.slots()).isEmpty();
    assertThat(page.next()).isEqualTo(key(10 * (PageFiller.MAX_EXAMINED + 1)));
    assertThat(page.examined()).isEqualTo(PageFiller.MAX_EXAMINED);
  }

  @Test
  void pageAfterAStretch_withoutVisibleItem_stopsAndContinues() {
    var items = new ArrayList<>(List.of(1, 11, 2));
    IntStream.range(0, 2 * PageFiller.MAX_EXAMINED).map(i -> HIDDEN + i).forEach(items::add);
    store(items);
    Function<List<Positioned<Integer>>, List<Positioned<Integer>>> keep =
        slots -> slots.stream().filter(slot -> slot.item() < HIDDEN).toList();
    var first = page(1, null, keep);
    assertThat(first.items()).containsExactly(List.of(1, 2));

    var second = page(1, first.next(), keep);

    assertThat(second.items()).containsExactly(List.of(11));
    assertThat(second.next()).isEqualTo(key(10 * (PageFiller.MAX_EXAMINED + 4)));
  }

  /** Its groups stay whole, though a page reads more items than usual to its end. */
  @Test
  void stretchThatGrewBetweenItsPages_isReadToItsEnd() {
    var items = new ArrayList<>(List.of(1, 11));
    IntStream.range(0, PageFiller.MAX_EXAMINED - 100).map(i -> HIDDEN + i).forEach(items::add);
    items.addAll(List.of(2, 12));
    store(items);
    Function<List<Positioned<Integer>>, List<Positioned<Integer>>> keep =
        slots -> slots.stream().filter(slot -> slot.item() < HIDDEN).toList();
    var first = page(1, null, keep);
    assertThat(first.items()).containsExactly(List.of(1, 2));
    IntStream.range(3, 203).forEach(place -> stored.put(key(10 * place + 1), HIDDEN));

    assertThat(page(1, first.next(), keep).items()).containsExactly(List.of(11, 12));
  }

  /** Items that stay are shown once; items that come or go between pages, at most once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void changesBetweenPages_neitherLoseNorRepeatAnItem(int limit) {
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      stored.clear();
      for (int place = 1; place <= PLACES; place++) {
        stored.put(key(10 * place), item(random, place));
      }
      var staying = new TreeMap<>(stored);
      var shown = new ArrayList<Integer>();
      var positions = new HashSet<String>();
      @Nullable String after = null;
      do {
        assertThat(after == null || positions.add(after)).as("a new position: %s", after).isTrue();
        var page =
            GroupedPager.page(
                new PageRequest(limit, after), this::fetch, slots -> slots, new Alike(1_000, MOST));
        page.items().forEach(shown::addAll);
        after = page.next();
        var gone = key(10 * (1 + random.nextInt(PLACES)));
        stored.remove(gone);
        staying.remove(gone);
        int late = 10 * random.nextInt(PLACES + 1) + 1 + random.nextInt(9);
        stored.put(key(late), item(random, PLACES + late));
      } while (after != null);
      assertThat(shown).as("seed %d", seed).doesNotHaveDuplicates().containsAll(staying.values());
    }
  }

  /** An item of one of four groups, unique by its place. */
  private static int item(Random random, int place) {
    return 1_000 * random.nextInt(4) + place;
  }
}
