package social.feed.table.home;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;

/** Several newest-first lists as one. */
final class FeedMerge {
  private FeedMerge() {}

  /**
   * The next part of the whole list. A source that was cut says nothing of what is older than its
   * last position, so nothing older than the newest such position, the floor, is given out yet: it
   * might not be next.
   *
   * @return with as many examined as of the source of which the most were: what is not given out is
   *     read again
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
