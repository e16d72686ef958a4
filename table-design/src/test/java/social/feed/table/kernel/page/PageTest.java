package social.feed.table.kernel.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageTest {
  private static Page<Integer> page(int size, @Nullable String next) {
    List<Positioned<Integer>> slots =
        IntStream.range(0, size).mapToObj(i -> new Positioned<>("at" + i, i)).toList();
    return new Page<>(slots, next);
  }

  @Test
  void first_ofMore_continuesAfterItsLastItem() {
    assertThat(page(3, null).first(2)).isEqualTo(new Page<>(page(2, null).slots(), "at1"));
  }

  @Test
  void first_ofAsManyOrFewer_isAll() {
    assertThat(page(2, "x").first(2)).isEqualTo(page(2, "x"));
    assertThat(page(1, null).first(2)).isEqualTo(page(1, null));
    assertThat(page(0, null).first(2)).isEqualTo(page(0, null));
  }

  @Test
  void converted_page_hasTheSamePositionsAndEnd() {
    var page = new Page<>(page(2, "next").slots(), "next", 5);

    assertThat(page.with(i -> "item" + i))
        .isEqualTo(new Page<>(named("item0", "item1"), "next", 5));
    assertThat(page.fromPositions(position -> position + "!"))
        .isEqualTo(new Page<>(named("at0!", "at1!"), "next", 5));
  }

  private static List<Positioned<String>> named(String first, String second) {
    return List.of(new Positioned<>("at0", first), new Positioned<>("at1", second));
  }

  @Test
  void all_readsEachPageOnce_untilTheLast() {
    var requests = new ArrayList<PageRequest>();
    var pages =
        Page.<Integer>all(
                2,
                request -> {
                  requests.add(request);
                  return page(2, requests.size() < 3 ? "p" + requests.size() : null);
                })
            .toList();

    assertThat(pages).hasSize(3);
    assertThat(requests)
        .containsExactly(
            PageRequest.first(2), PageRequest.first(2).from("p1"), new PageRequest(2, "p2"));
  }
}
