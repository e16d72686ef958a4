package social.feed.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;

/**
 * The law of every list: pages of any size concatenate to the same list. Every page except the last
 * is full. The last page has no position to continue from, except that an empty last page may
 * follow.
 */
public final class PagingLaw {
  private PagingLaw() {}

  /**
   * Reads a list in pages of every size up to one more than its length, and compares it with the
   * expected list.
   */
  public static <T> void holds(Function<PageRequest, Page<T>> list, List<T> expected) {
    for (int size = 1; size <= expected.size() + 1; size++) {
      assertThat(read(list, size)).as("in pages of %s", size).isEqualTo(expected);
    }
  }

  /** Reads the whole list in pages of one size. */
  public static <T> List<T> read(Function<PageRequest, Page<T>> list, int size) {
    return readAfter(list, size, null);
  }

  /** Reads a list after a position, in pages of one size. */
  public static <T> List<T> readAfter(
      Function<PageRequest, Page<T>> list, int size, @Nullable String after) {
    var all = new ArrayList<T>();
    var positions = new HashSet<String>();
    @Nullable String position = after;
    do {
      continuesOnce(positions, position);
      var page = list.apply(new PageRequest(size, position));
      assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
      if (page.next() != null) {
        assertThat(page.items()).as("a page before the last is full").hasSize(size);
      }
      all.addAll(page.items());
      position = page.next();
    } while (position != null);
    return all;
  }

  /**
   * Fails when a list continues from a position or cursor a second time. Such a list never ends.
   *
   * @param before the positions so far, to which the new one is added
   */
  public static void continuesOnce(Set<String> before, @Nullable String position) {
    assertThat(position == null || before.add(position))
        .as("the list continues only once from %s", position)
        .isTrue();
  }
}
