package social.feed.table.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunsTest {
  private static final Runs.Joining<Integer> SAME_TEN =
      (run, next) -> run.getFirst() / 10 == next / 10;

  /** Items whose position is their place, with leading zeros. */
  private static Function<PageRequest, Page<Integer>> stored(List<Integer> items) {
    return request -> {
      int from = request.after() == null ? 0 : Integer.parseInt(request.after()) + 1;
      int to = Math.min(items.size(), from + request.limit());
      List<Slot<Integer>> slots =
          IntStream.range(from, to)
              .mapToObj(i -> new Slot<>("%05d".formatted(i), items.get(i)))
              .toList();
      return new Page<>(slots, to < items.size() ? "%05d".formatted(to - 1) : null);
    };
  }

  private static List<List<Integer>> all(List<Integer> items, int limit) {
    var runs = new ArrayList<List<Integer>>();
    @Nullable String after = null;
    do {
      var page = Runs.page(new PageRequest(limit, after), stored(items), slots -> slots, SAME_TEN);
      assertThat(page.slots().size()).isLessThanOrEqualTo(limit);
      runs.addAll(page.items());
      after = page.next();
    } while (after != null);
    return runs;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void pagesOfAnySize_cutTheSameRuns(int limit) {
    var items = List.of(1, 2, 11, 12, 13, 3, 21, 4, 5, 6);

    assertThat(all(items, limit))
        .containsExactly(
            List.of(1, 2), List.of(11, 12, 13), List.of(3), List.of(21), List.of(4, 5, 6));
  }

  @Test
  void runLongerThanWhatIsReadAtOnce_isWhole() {
    var items = IntStream.range(0, 130).mapToObj(i -> 7).toList();

    assertThat(all(items, 1)).containsExactly(items);
  }

  @Test
  void lastPage_hasNoNext() {
    var page = Runs.page(PageRequest.first(2), stored(List.of(1, 2, 11)), slots -> slots, SAME_TEN);

    assertThat(page.items()).hasSize(2);
    assertThat(page.next()).isNull();
  }

  @Test
  void whatIsLeftOut_partsNothing() {
    var page =
        Runs.page(
            PageRequest.first(5),
            stored(List.of(1, 11, 2)),
            slots -> slots.stream().filter(slot -> slot.item() < 10).toList(),
            SAME_TEN);

    assertThat(page.items()).containsExactly(List.of(1, 2));
  }

  @Test
  void nothing_isAnEmptyPage() {
    assertThat(all(List.of(), 3)).isEmpty();
  }

  @Test
  void pageThatFindsNothing_givesUpAndGoesOn() {
    var items = IntStream.range(0, 2 * Refill.MAX_EXAMINED).boxed().toList();

    Page<List<Integer>> page =
        Runs.page(PageRequest.first(1), stored(items), slots -> List.of(), SAME_TEN);

    assertThat(page.slots()).isEmpty();
    assertThat(page.next()).isEqualTo("%05d".formatted(Refill.MAX_EXAMINED - 1));
  }
}
