package social.feed.table.home;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.row.FeedRef;

/** Merges several newest-first lists into one. */
final class FeedMerge {
  /** How many sources one page reads at once. */
  private static final int AT_ONCE = 16;

  private FeedMerge() {}

  /**
   * Reads the next page of each source, some at once, and returns the next page of the merged list.
   *
   * @param part the part that is read of each source
   * @param limit the most posts of the merged page
   */
  static Page<FeedRef> read(List<? extends FeedSource> sources, PageRequest part, int limit) {
    return of(ParallelCalls.map(sources, AT_ONCE, source -> source.page(part)), limit);
  }

  /**
   * Returns the next page of the merged list. A source that was cut is unknown below its last
   * position. The newest such position is the floor: older posts stay out of the page, since an
   * unknown post may precede them.
   *
   * @return the page, whose examined count is the largest count of one source, because posts that
   *     stay out are read again
   */
  static Page<FeedRef> of(List<Page<FeedRef>> sources, int limit) {
    @Nullable String floor =
        sources.stream()
            .map(Page::next)
            .filter(next -> next != null)
            .max(String::compareTo)
            .orElse(null);
    var known =
        sources.stream()
            .flatMap(page -> page.slots().stream())
            .filter(slot -> floor == null || slot.position().compareTo(floor) >= 0)
            .sorted(Comparator.comparing(Positioned<FeedRef>::position).reversed())
            .toList();
    boolean cut = known.size() > limit;
    var part = cut ? known.subList(0, limit) : known;
    int examined = sources.stream().mapToInt(Page::examined).max().orElse(0);
    return new Page<>(part, cut ? part.getLast().position() : floor, examined);
  }
}
