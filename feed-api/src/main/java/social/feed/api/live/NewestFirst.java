package social.feed.api.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/** Reads the newest items of lists. */
final class NewestFirst {
  /** Items that half a read unit covers. */
  static final int FIRST_PAGE = 10;

  private static final int NEXT_PAGE = 50;

  private NewestFirst() {}

  /**
   * Returns the items of a list down to a position, newest first. The first page is short, since
   * most polls find nothing new.
   *
   * @param max stops reading once more than this number of items are found
   */
  static <T> List<Positioned<T>> from(
      String position, int max, Function<PageRequest, Page<T>> list) {
    List<Positioned<T>> found = new ArrayList<>();
    PageRequest request = PageRequest.first(FIRST_PAGE);
    while (true) {
      Page<T> page = list.apply(request);
      found.addAll(from(position, page));
      if (reaches(position, page) || found.size() > max) {
        return found;
      }
      request = new PageRequest(NEXT_PAGE, page.next());
    }
  }

  /** Returns whether a page, as the first one, has all items down to a position. */
  static boolean reaches(String position, Page<?> page) {
    @Nullable String next = page.next();
    return next == null || next.compareTo(position) < 0;
  }

  /** Returns the items of a page at a position or above it. */
  static <T> List<Positioned<T>> from(String position, Page<T> page) {
    return page.slots().stream().filter(slot -> slot.position().compareTo(position) >= 0).toList();
  }
}
