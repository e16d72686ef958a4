package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/** The law finds each list that breaks it, and ends. */
class PagingLawTest {
  private static final int LENGTH = 7;
  private static final List<Integer> ALL = IntStream.range(0, LENGTH).boxed().toList();

  private static Page<Integer> sound(PageRequest request) {
    int from = request.after() == null ? 0 : Integer.parseInt(request.after());
    var slots =
        ALL.stream()
            .skip(from)
            .limit(request.limit())
            .map(i -> new Positioned<>(Integer.toString(i + 1), i))
            .toList();
    return new Page<>(slots, from + slots.size() < LENGTH ? slots.getLast().position() : null);
  }

  @Test
  void soundList_holds() {
    PagingLaw.holds(PagingLawTest::sound, ALL);
    assertThat(PagingLaw.readAfter(PagingLawTest::sound, 2, "5")).containsExactly(5, 6);
  }

  private static void isFound(Function<PageRequest, Page<Integer>> list, String message) {
    assertThatThrownBy(() -> PagingLaw.holds(list, ALL))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message);
  }

  /** Such a list never ends. */
  @Test
  void listThatIgnoresThePosition_isFound() {
    isFound(request -> sound(PageRequest.first(request.limit())), "continues only once from 1");
  }

  @Test
  void listThatGoesBack_isFound() {
    isFound(
        request -> {
          var page = sound(request);
          return new Page<>(page.slots(), "3".equals(page.next()) ? "1" : page.next());
        },
        "continues only once from 1");
  }

  @Test
  void listThatLeavesOut_repeatsOrCutsShort_isFound() {
    isFound(
        request -> sound("3".equals(request.after()) ? request.from("4") : request),
        "in pages of 1");
    isFound(
        request -> {
          var page = sound(request);
          return request.limit() == 4 ? page.first(3) : page;
        },
        "a page before the last is full");
  }
}
