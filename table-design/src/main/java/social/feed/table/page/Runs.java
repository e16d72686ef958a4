package social.feed.table.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Lists whose neighbours are shown as one item. A run has the position of its last item, so what
 * follows a page is what follows its last run, and pages of any size cut the list into the same
 * runs.
 */
public final class Runs {
  /** Stored items that are read at once. */
  private static final int FETCH = 50;

  private Runs() {}

  /** Whether an item goes with those right before it. */
  @FunctionalInterface
  public interface Joining<T> {
    /**
     * Asked for neighbours only.
     *
     * @param run what goes together so far, not empty
     * @param next what follows
     */
    boolean joins(List<T> run, T next);
  }

  /**
   * Some runs. {@code next} is absent when nothing follows; a page that gave up after {@value
   * Refill#MAX_EXAMINED} stored items may be short, and cut its last run.
   *
   * @param request how many runs
   * @param fetch reads stored items
   * @param keep leaves out what is not to be seen
   */
  public static <T> Page<List<T>> page(
      PageRequest request,
      Function<PageRequest, Page<T>> fetch,
      Function<List<Slot<T>>, List<Slot<T>>> keep,
      Joining<T> joining) {
    var runs = new ArrayList<Run<T>>();
    var position = request.after();
    for (int examined = 0; examined < Refill.MAX_EXAMINED; ) {
      var stored = fetch.apply(new PageRequest(FETCH, position));
      for (var slot : keep.apply(stored.slots())) {
        boolean joins = !runs.isEmpty() && joining.joins(runs.getLast().items, slot.item());
        if (!joins && runs.size() == request.limit()) {
          return new Page<>(slots(runs), runs.getLast().position);
        }
        if (!joins) {
          runs.add(new Run<>());
        }
        runs.getLast().add(slot);
      }
      position = stored.next();
      if (position == null) {
        break;
      }
      examined += stored.slots().size();
    }
    return new Page<>(slots(runs), position);
  }

  private static <T> List<Slot<List<T>>> slots(List<Run<T>> runs) {
    return runs.stream().map(run -> new Slot<>(run.position, List.copyOf(run.items))).toList();
  }

  private static final class Run<T> {
    final List<T> items = new ArrayList<>();
    String position = "";

    void add(Slot<T> slot) {
      items.add(slot.item());
      position = slot.position();
    }
  }
}
