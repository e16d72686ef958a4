package social.feed.table.kernel.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pages of a list, newest first, that show several items as one group, even when other items stand
 * between them. The list is divided into stretches. All items of one name within a stretch are one
 * group. The next stretch begins after the stretch's last item.
 *
 * <p>The position of a group inside a stretch holds the stretch's beginning, its end, and the names
 * that were already shown. The next page reads the stretch again and shows the other groups. So
 * pages of every size divide the list into the same groups. No item comes twice or is omitted,
 * whatever is added or removed between pages.
 */
public final class GroupedPager {
  /** Number of stored items that one fetch reads. */
  private static final int FETCH = 50;

  private GroupedPager() {}

  /** Decides which items form a group. */
  public interface Rule<T> {
    /** Returns the name of an item's group. Items of one name within a stretch are shown as one. */
    String name(T item);

    /**
     * Returns whether a stretch continues with the next item. A stretch is read again when a page
     * ends inside it, so its length must have a limit.
     *
     * @param stretch its groups by name, at least one, in the order of the list
     */
    boolean continuesWith(SequencedMap<String, List<T>> stretch, T next);
  }

  /**
   * Returns a page of groups. {@code next} is absent when no item follows. A page that stops after
   * {@value PageFiller#MAX_EXAMINED} stored items may be short, and may divide its last stretch.
   *
   * @param request the number of groups and the position
   * @param fetch reads stored items, whose positions are in descending order
   * @param keep removes the items that must not be shown
   */
  public static <T> Page<List<T>> page(
      PageRequest request,
      Function<PageRequest, Page<T>> fetch,
      Function<List<Positioned<T>>, List<Positioned<T>>> keep,
      Rule<T> rule) {
    var groups = new ArrayList<Positioned<List<T>>>();
    var inside = GroupCursor.parse(request.after());
    var stretch = new Stretch<>(rule, inside);
    var position = inside == null ? request.after() : inside.before();
    int examined = 0;
    while (examined < PageFiller.MAX_EXAMINED || stretch.mayContinueBelow(position)) {
      var stored = fetch.apply(new PageRequest(FETCH, position));
      examined += stored.examined();
      for (var slot : keep.apply(stored.slots())) {
        if (!stretch.accepts(slot)) {
          groups.addAll(stretch.groups());
          if (groups.size() >= request.limit()) {
            return cut(groups, request.limit(), examined);
          }
          stretch = new Stretch<>(rule, null);
        }
        stretch.add(slot);
      }
      position = stored.next();
      if (position == null) {
        break;
      }
    }
    groups.addAll(stretch.groups());
    return groups.size() > request.limit()
        ? cut(groups, request.limit(), examined)
        : new Page<>(groups, position, examined);
  }

  private static <T> Page<List<T>> cut(List<Positioned<List<T>>> groups, int limit, int examined) {
    return new Page<>(groups.subList(0, limit), groups.get(limit - 1).position(), examined);
  }

  /** Consecutive items; in a stretch that an earlier page began, those that it did not show. */
  private static final class Stretch<T> {
    private final Rule<T> rule;
    private final @Nullable GroupCursor resumed;
    private final SequencedMap<String, List<T>> byName = new LinkedHashMap<>();
    private String first = "";
    private String last = "";

    Stretch(Rule<T> rule, @Nullable GroupCursor resumed) {
      this.rule = rule;
      this.resumed = resumed;
    }

    /** Returns whether an earlier page began the stretch and part of it may still be unread. */
    boolean mayContinueBelow(@Nullable String position) {
      return resumed != null && (position == null || position.compareTo(resumed.last()) > 0);
    }

    boolean accepts(Positioned<T> slot) {
      return resumed == null
          ? byName.isEmpty() || rule.continuesWith(byName, slot.item())
          : slot.position().compareTo(resumed.last()) >= 0;
    }

    void add(Positioned<T> slot) {
      var name = rule.name(slot.item());
      if (resumed == null || !resumed.shown().contains(name)) {
        byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(slot.item());
      }
      first = first.isEmpty() ? slot.position() : first;
      last = slot.position();
    }

    /** Returns the groups, each with the position after it. */
    List<Positioned<List<T>>> groups() {
      var cursor = resumed == null ? new GroupCursor(first, last, List.of()) : resumed;
      var slots = new ArrayList<Positioned<List<T>>>();
      for (var group : byName.entrySet()) {
        cursor = cursor.showing(group.getKey());
        boolean isLast = slots.size() == byName.size() - 1;
        slots.add(
            new Positioned<>(
                isLast ? cursor.last() : cursor.text(), List.copyOf(group.getValue())));
      }
      return slots;
    }
  }
}
