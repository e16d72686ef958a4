package social.feed.table.kernel.page;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, in the list's order.
 *
 * @param slots as many as were wanted, or fewer at the end of the list
 * @param next position to go on from, absent when nothing follows
 * @param examined how many stored items were read for it, shown or not; of several lists that are
 *     merged, of the one that the most were read of
 */
public record Page<T>(List<Positioned<T>> slots, @Nullable String next, int examined) {
  public Page {
    slots = List.copyOf(slots);
  }

  /** A part of which nothing was left out. */
  public Page(List<Positioned<T>> slots, @Nullable String next) {
    this(slots, next, slots.size());
  }

  /**
   * The beginning of this part, after which the list goes on where it was cut.
   *
   * @param most how many at most
   */
  public Page<T> first(int most) {
    return slots.size() <= most
        ? this
        : new Page<>(slots.subList(0, most), slots.get(most - 1).position());
  }

  /** The same part of a list of something else. */
  public <U> Page<U> with(Function<T, U> other) {
    return new Page<>(
        slots.stream().map(slot -> slot.with(other.apply(slot.item()))).toList(), next, examined);
  }

  public List<T> items() {
    return slots.stream().map(Positioned::item).toList();
  }

  /**
   * All pages of a list, one after the other as they are asked for.
   *
   * @param limit of each page
   * @param list reads a page
   */
  public static <T> Stream<Page<T>> all(int limit, Function<PageRequest, Page<T>> list) {
    return Stream.iterate(
        list.apply(PageRequest.first(limit)),
        Objects::nonNull,
        page -> page.next() == null ? null : list.apply(new PageRequest(limit, page.next())));
  }
}
