package social.feed.table.page;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, in the list's order.
 *
 * @param slots as many as were wanted, or fewer at the end of the list
 * @param next position to go on from, absent when nothing follows
 */
public record Page<T>(List<Slot<T>> slots, @Nullable String next) {
  public Page {
    slots = List.copyOf(slots);
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
        slots.stream().map(slot -> slot.with(other.apply(slot.item()))).toList(), next);
  }

  public List<T> items() {
    return slots.stream().map(Slot::item).toList();
  }
}
