package social.feed.table.kernel.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pages that stay full although some of what is stored may not be shown: reads on until enough
 * visible items were found or the list ends.
 */
public final class PageFiller {
  /** Stored items that one page may skip before it is handed out short, with a position after. */
  static final int MAX_EXAMINED = 2_000;

  /** Where much is hidden, reading on in ones would cost a call an item. */
  private static final int LEAST_FETCH = 25;

  private PageFiller() {}

  /**
   * A page of visible items. {@code next} is absent exactly when no visible item follows, but for a
   * page that gave up after {@value #MAX_EXAMINED} stored items: that one may be short and goes on.
   *
   * @param request the wanted page
   * @param fetch reads stored items
   * @param show turns stored items into the visible ones among them, each with its position, in the
   *     same order
   */
  public static <S, V> Page<V> fill(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show) {
    var visible = new ArrayList<Positioned<V>>();
    String position = request.after();
    int examined = 0;
    while (true) {
      int wanted =
          Math.min(
              request.limit() + 1, Math.max(LEAST_FETCH, request.limit() + 1 - visible.size()));
      var stored = fetch.apply(new PageRequest(wanted, position));
      visible.addAll(show.apply(stored.slots()));
      if (visible.size() > request.limit()) {
        return cut(visible, request.limit());
      }
      position = stored.next();
      examined += stored.examined();
      if (position == null || examined >= MAX_EXAMINED) {
        return new Page<>(visible, position);
      }
    }
  }

  private static <V> Page<V> cut(List<Positioned<V>> visible, int limit) {
    var page = visible.subList(0, limit);
    @Nullable String next = page.getLast().position();
    return new Page<>(page, next);
  }
}
