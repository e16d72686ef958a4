package social.feed.table.kernel.page;

import static org.assertj.core.api.Assertions.assertThat;

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
}
