package social.feed.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.access.AccessPattern;
import social.feed.table.access.Order;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.declaration.Index;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.PagingLaw;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/** The contract of every pattern that returns pages of a list. */
@ExtendWith(EngineExtension.class)
interface ListContract<T> {
  Instant FIRST = Instant.parse("2026-03-01T12:00:00Z");

  /** One list of a pattern, initially empty, which a test fills. */
  interface FilledList<T> {
    Page<T> page(PageRequest request);

    /**
     * Adds an item with a time.
     *
     * @return the item as the list returns it
     */
    T add(Instant time);

    void remove(T item);
  }

  AccessPattern pattern();

  /** Returns a new list that no other test uses. */
  FilledList<T> list(TestTable table);

  /**
   * Returns the read units of a page of the maximum size, with account ids of ten characters: half
   * a unit for each 4 KB of the indexed items, rounded up once for each page.
   */
  double unitsOfAFullPage();

  @Test
  default void page_anyPosition_isOneQueryOfThePatternsIndex(TestTable table) {
    var list = list(table);
    fill(list, 5);
    var first = observe(table, list, PageRequest.first(2));
    var second = observe(table, list, new PageRequest(2, first.answer().next()));

    for (var observed : List.of(first, second)) {
      var query = observed.only(QueryRequest.class);
      assertThat(query.tableName()).isEqualTo(table.table().name());
      assertThat(query.indexName()).isEqualTo(pattern().index().map(Index::indexName).orElse(null));
      assertThat(query.scanIndexForward()).isEqualTo(pattern().order() == Order.OLDEST_FIRST);
      assertThat(query.limit()).isEqualTo(2);
      assertThat(query.consistentRead()).isNull();
      assertThat(query.filterExpression()).isNull();
    }
  }

  @Test
  default void page_ofAnEmptyList_isEmptyAndTheLast(TestTable table) {
    fill(list(table), 1);

    assertThat(list(table).page(PageRequest.first(5))).isEqualTo(new Page<>(List.of(), null));
  }

  @Test
  default void page_overTheMaximum_isRejectedWithoutARequest(TestTable table) {
    var list = list(table);
    int most = pattern().maxPage() + 1;
    table.requests().take();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> list.page(PageRequest.first(most + 1)))
        .withMessageContaining(pattern().id());
    assertThat(table.requests().take()).isEmpty();
    assertThat(list.page(PageRequest.first(most)).items()).isEmpty();
  }

  @Test
  default void page_ofTheMaximum_costsExactly(TestTable table) {
    var list = list(table);
    var expected = inOrder(fill(list, pattern().maxPage() + 1));

    var page = observe(table, list, PageRequest.first(pattern().maxPage()));

    assertThat(page.answer().items()).isEqualTo(expected.subList(0, pattern().maxPage()));
    assertThat(page.requests()).hasSize(1);
    assertThat(page.cost()).isEqualTo(new ConsumedUnits(unitsOfAFullPage(), 0));
  }

  @Test
  default void paging_unchangedList_followsThePagingLaw(TestTable table) {
    var list = list(table);
    var expected = inOrder(fill(list, 7));

    PagingLaw.holds(list::page, expected);
  }

  @Test
  default void paging_itemsOfOneTime_followsThePagingLaw(TestTable table) {
    var list = list(table);
    var added = new ArrayList<T>();
    for (int i = 0; i < 3; i++) {
      added.add(list.add(FIRST));
      added.add(list.add(FIRST.plusMillis(1)));
      added.add(list.add(FIRST.plusMillis(2)));
    }
    var all = list.page(PageRequest.first(9));

    assertThat(all.items()).containsExactlyInAnyOrderElementsOf(added);
    assertThat(positions(all)).isSortedAccordingTo(direction()).doesNotHaveDuplicates();
    assertThat(timesOf(all.items(), added)).isEqualTo(inOrder(List.of(0, 0, 0, 1, 1, 1, 2, 2, 2)));
    PagingLaw.holds(list::page, all.items());
  }

  @Test
  default void paging_insertsAndDeletesBetweenPages_neitherRepeatsNorSkips(TestTable table) {
    var list = list(table);
    var before = inOrder(fill(list, 9));
    var first = list.page(PageRequest.first(3));

    list.remove(before.get(2));
    list.remove(before.get(5));
    var early = list.add(FIRST.minusMillis(1));
    var late = list.add(FIRST.plusMillis(100));

    var expected = new ArrayList<>(before.subList(3, 9));
    expected.remove(before.get(5));
    expected.add(pattern().order() == Order.OLDEST_FIRST ? late : early);
    assertThat(first.items()).isEqualTo(before.subList(0, 3));
    assertThat(first.next()).isNotNull();
    assertThat(PagingLaw.readAfter(list::page, 2, first.next())).isEqualTo(expected);
  }

  @Test
  default void page_ofOneList_containsNoItemsOfAnother(TestTable table) {
    var list = list(table);
    var other = list(table);
    var mine = list.add(FIRST);
    other.add(FIRST);

    assertThat(list.page(PageRequest.first(5)).items()).containsExactly(mine);
  }

  private Observed<Page<T>> observe(TestTable table, FilledList<T> list, PageRequest request) {
    return Observed.of(table, () -> list.page(request));
  }

  private List<T> fill(FilledList<T> list, int size) {
    return IntStream.range(0, size).mapToObj(i -> list.add(FIRST.plusMillis(i))).toList();
  }

  private <E> List<E> inOrder(List<E> oldestFirst) {
    return pattern().order() == Order.OLDEST_FIRST ? oldestFirst : oldestFirst.reversed();
  }

  private Comparator<String> direction() {
    return pattern().order() == Order.OLDEST_FIRST
        ? Comparator.naturalOrder()
        : Comparator.reverseOrder();
  }

  private List<String> positions(Page<T> page) {
    return page.slots().stream().map(Positioned::position).toList();
  }

  /** Returns, for each listed item, which of the three times it was added with. */
  private List<Integer> timesOf(List<T> listed, List<T> added) {
    return listed.stream().map(item -> added.indexOf(item) % 3).toList();
  }
}
