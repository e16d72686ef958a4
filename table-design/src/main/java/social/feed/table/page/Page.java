package social.feed.table.page;

import java.util.List;
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

  public List<T> items() {
    return slots.stream().map(Slot::item).toList();
  }
}
