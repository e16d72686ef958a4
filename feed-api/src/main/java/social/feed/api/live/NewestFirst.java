package social.feed.api.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;

/** Reads the newest part of lists. */
final class NewestFirst {
  /** As many as half a read unit brings. */
  static final int FEW = 10;

  private static final int MANY = 50;

  private NewestFirst() {}

  /**
   * The items of a list from a position on, newest first. Reads few at first, since mostly nothing
   * is new.
   *
   * @param max where there are more, some more than that are returned, and the rest is not read
   */
  static <T> List<Positioned<T>> from(
      String position, int max, Function<PageRequest, Page<T>> list) {
    List<Positioned<T>> found = new ArrayList<>();
    PageRequest request = PageRequest.first(FEW);
    while (true) {
      Page<T> page = list.apply(request);
      found.addAll(from(position, page));
      @Nullable String next = page.next();
      if (next == null || next.compareTo(position) < 0 || found.size() > max) {
        return found;
      }
      request = new PageRequest(MANY, next);
    }
  }

  /** Those of a page that lie at a position or above it. */
  static <T> List<Positioned<T>> from(String position, Page<T> page) {
    return page.slots().stream().filter(slot -> slot.position().compareTo(position) >= 0).toList();
  }
}
