package social.feed.table.kernel.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fills pages although some stored items must not be shown: reads until enough visible items are
 * found or the list ends.
 */
public final class PageFiller {
  /**
   * Number of stored items that one page may examine before it is returned short, with a position
   * to continue from.
   */
  public static final int MAX_EXAMINED = 2_000;

  /** The same for a list that hides most of its items, each at a cost. */
  public static final int MAX_EXAMINED_SPARSE = 500;

  /**
   * Minimum number of items per fetch. Single items would cost one call each where most items are
   * hidden.
   */
  private static final int MIN_FETCH = 25;

  private PageFiller() {}

  /**
   * Returns a page of visible items. {@code next} is absent exactly when no visible item follows.
   * The exception is a page that stops after {@value #MAX_EXAMINED} stored items: it may be short
   * and has a {@code next}.
   *
   * @param request the requested page
   * @param fetch reads stored items
   * @param show converts stored items to the visible ones among them, each with its position, in
   *     the same order
   */
  public static <S, V> Page<V> fill(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show) {
    int page = request.limit() + 1;
    return fill(request, fetch, show, new Fetches(page, page, MAX_EXAMINED));
  }

  /**
   * Returns a page of a list that hides few of its items, but maybe many in a row, as {@link #fill}
   * does. Its first fetch is as small as the page, further ones have at least {@value #MIN_FETCH}
   * items, and it stops after {@value #MAX_EXAMINED_SPARSE} stored items.
   *
   * @param mayGoOn is asked before each fetch but the first; false returns the page short, with a
   *     position to continue from
   */
  public static <S, V> Page<V> fillBounded(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show,
      BooleanSupplier mayGoOn) {
    var fetches = new Fetches(request.limit() + 1, MAX_EXAMINED_SPARSE, MAX_EXAMINED_SPARSE);
    return fill(request, fetch, show, fetches, mayGoOn);
  }

  /**
   * Returns a page of a list that hides most of its items, as {@link #fill} does. It stops after
   * {@value #MAX_EXAMINED_SPARSE} stored items, and reads at least {@value #MIN_FETCH} at a time
   * for small pages too.
   */
  public static <S, V> Page<V> fillSparse(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show) {
    var fetches = new Fetches(MAX_EXAMINED_SPARSE, MAX_EXAMINED_SPARSE, MAX_EXAMINED_SPARSE);
    return fill(request, fetch, show, fetches);
  }

  /**
   * How much a page reads.
   *
   * @param first the most items of its first fetch
   * @param further the most items of each other one
   * @param examined the most items of all of them
   */
  private record Fetches(int first, int further, int examined) {
    int size(int before, int missing) {
      int most = before == 0 ? first : further;
      return Math.min(Math.min(most, Math.max(MIN_FETCH, missing)), examined - before);
    }
  }

  private static <S, V> Page<V> fill(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show,
      Fetches fetches) {
    return fill(request, fetch, show, fetches, () -> true);
  }

  private static <S, V> Page<V> fill(
      PageRequest request,
      Function<PageRequest, Page<S>> fetch,
      Function<List<Positioned<S>>, List<Positioned<V>>> show,
      Fetches fetches,
      BooleanSupplier mayGoOn) {
    var visible = new ArrayList<Positioned<V>>();
    String position = request.after();
    int examined = 0;
    while (true) {
      int fetchSize = fetches.size(examined, request.limit() + 1 - visible.size());
      var stored = fetch.apply(new PageRequest(fetchSize, position));
      visible.addAll(show.apply(stored.slots()));
      if (visible.size() > request.limit()) {
        return cut(visible, request.limit());
      }
      position = stored.next();
      examined += stored.examined();
      if (position == null || examined >= fetches.examined() || !mayGoOn.getAsBoolean()) {
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
