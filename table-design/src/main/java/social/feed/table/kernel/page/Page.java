package social.feed.table.kernel.page;

import java.util.Comparator;
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

  /**
   * Returns the next page of several newest-first lists as one. A list that was cut is unknown
   * below its last position. The newest such position is the floor: older items stay out of the
   * page, since an unknown item may precede them.
   *
   * @param parts the next page of each list; the positions of all lists share one order
   * @param limit the most items of the merged page
   * @return the page, whose examined count is the largest count of one list, because items that
   *     stay out are read again
   */
  public static <T> Page<T> merged(List<Page<T>> parts, int limit) {
    @Nullable String floor =
        parts.stream().map(Page::next).filter(Objects::nonNull).max(String::compareTo).orElse(null);
    var known =
        parts.stream()
            .flatMap(part -> part.slots().stream())
            .filter(slot -> floor == null || slot.position().compareTo(floor) >= 0)
            .sorted(Comparator.comparing(Positioned<T>::position).reversed())
            .toList();
    boolean cut = known.size() > limit;
    var page = cut ? known.subList(0, limit) : known;
    int examined = parts.stream().mapToInt(Page::examined).max().orElse(0);
    return new Page<>(page, cut ? page.getLast().position() : floor, examined);
  }

  /** Returns this part of a list together with the one that follows it. */
  public Page<T> followedBy(Page<T> rest) {
    return new Page<>(
        Stream.concat(slots.stream(), rest.slots.stream()).toList(),
        rest.next,
        examined + rest.examined);
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
    return all(PageRequest.first(limit), list);
  }

  /** As {@link #all(int, Function)}, from a page on. */
  public static <T> Stream<Page<T>> all(PageRequest first, Function<PageRequest, Page<T>> list) {
    return Stream.iterate(
        list.apply(first),
        Objects::nonNull,
        page -> page.next() == null ? null : list.apply(first.from(page.next())));
  }
}
