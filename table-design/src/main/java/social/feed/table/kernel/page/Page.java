package social.feed.table.kernel.page;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, in the list's order.
 *
 * @param slots the items with their positions: as many as requested, or fewer at the end of the
 *     list
 * @param next position to continue from, absent when no item follows
 * @param examined number of stored items that were read for the page, shown or not; for merged
 *     lists, the largest number of one list
 */
public record Page<T>(List<Positioned<T>> slots, @Nullable String next, int examined) {
  public Page {
    slots = List.copyOf(slots);
  }

  /** Creates a page that shows every item that was read for it. */
  public Page(List<Positioned<T>> slots, @Nullable String next) {
    this(slots, next, slots.size());
  }

  /**
   * Returns the beginning of this part, whose {@code next} continues the list after it.
   *
   * @param most maximum number of items
   */
  public Page<T> first(int most) {
    return slots.size() <= most
        ? this
        : new Page<>(slots.subList(0, most), slots.get(most - 1).position());
  }

  /** Returns the same part of a list of converted items. */
  public <U> Page<U> with(Function<T, U> converter) {
    return new Page<>(
        slots.stream().map(slot -> slot.with(converter.apply(slot.item()))).toList(),
        next,
        examined);
  }

  /** Returns the same part of a list of items that are made from their positions. */
  public <U> Page<U> fromPositions(Function<String, U> converter) {
    return new Page<>(
        slots.stream().map(slot -> slot.with(converter.apply(slot.position()))).toList(),
        next,
        examined);
  }

  public List<T> items() {
    return slots.stream().map(Positioned::item).toList();
  }

  /**
   * Returns all pages of a list, each read when the stream requires it.
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
