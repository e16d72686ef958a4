package social.feed.table.kernel.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists, newest first, of which several items are shown as one, also where others lie between them.
 * A list is cut into stretches; all items of one name within a stretch are a bundle. What follows a
 * stretch is what follows its last item. The position of a bundle inside a stretch says where that
 * begins and ends and which names were shown of it: the next page reads the stretch again and shows
 * the others. So pages of any size cut the list into the same bundles, and nothing comes twice or
 * is left out, whatever is added or taken back in between.
 */
public final class GroupedPager {
  /** Stored items that are read at once. */
  private static final int FETCH = 50;

  private GroupedPager() {}

  /** What goes together. */
  public interface Rule<T> {
    /** Items of one name within a stretch are shown as one. */
    String name(T item);

    /**
     * Whether a stretch goes on with what follows. A stretch is read again when a page ends inside
     * it, so its length has to have a bound.
     *
     * @param stretch its bundles by name, at least one, in the order of the list
     */
    boolean goesOn(SequencedMap<String, List<T>> stretch, T next);
  }

  /**
   * Some bundles. {@code next} is absent when nothing follows; a page that gave up after {@value
   * PageFiller#MAX_EXAMINED} stored items may be short, and cut its last stretch.
   *
   * @param request how many bundles
   * @param fetch reads stored items, whose positions are in descending order
   * @param keep leaves out what is not to be seen
   */
  public static <T> Page<List<T>> page(
      PageRequest request,
      Function<PageRequest, Page<T>> fetch,
      Function<List<Positioned<T>>, List<Positioned<T>>> keep,
      Rule<T> rule) {
    var bundles = new ArrayList<Positioned<List<T>>>();
    var inside = GroupCursor.parse(request.after());
    var stretch = new Stretch<>(rule, inside);
    var position = inside == null ? request.after() : inside.before();
    int examined = 0;
    while (examined < PageFiller.MAX_EXAMINED || stretch.mayGoOnBelow(position)) {
      var stored = fetch.apply(new PageRequest(FETCH, position));
      examined += stored.examined();
      for (var slot : keep.apply(stored.slots())) {
        if (!stretch.takes(slot)) {
          bundles.addAll(stretch.bundles());
          if (bundles.size() >= request.limit()) {
            return cut(bundles, request.limit(), examined);
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
    bundles.addAll(stretch.bundles());
    return bundles.size() > request.limit()
        ? cut(bundles, request.limit(), examined)
        : new Page<>(bundles, position, examined);
  }

  private static <T> Page<List<T>> cut(List<Positioned<List<T>>> bundles, int limit, int examined) {
    return new Page<>(bundles.subList(0, limit), bundles.get(limit - 1).position(), examined);
  }

  /** Neighbours, or of those that a page before began to show what it left. */
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

    /** Whether it was begun by a page before, and what it is may not all have been read. */
    boolean mayGoOnBelow(@Nullable String position) {
      return resumed != null && (position == null || position.compareTo(resumed.last()) > 0);
    }

    boolean takes(Positioned<T> slot) {
      return resumed == null
          ? byName.isEmpty() || rule.goesOn(byName, slot.item())
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

    /** Each with the place behind it. */
    List<Positioned<List<T>>> bundles() {
      var place = resumed == null ? new GroupCursor(first, last, List.of()) : resumed;
      var slots = new ArrayList<Positioned<List<T>>>();
      for (var bundle : byName.entrySet()) {
        place = place.showing(bundle.getKey());
        boolean isLast = slots.size() == byName.size() - 1;
        slots.add(
            new Positioned<>(isLast ? place.last() : place.text(), List.copyOf(bundle.getValue())));
      }
      return slots;
    }
  }
}
