package social.feed.table.home;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.page.Page;
import social.feed.table.page.Slot;
import social.feed.table.row.FeedRef;

/** Several newest-first lists as one. */
final class FeedMerge {
  private FeedMerge() {}

  /**
   * The next part of the whole list. A source that was cut says nothing of what is older than its
   * last position, so nothing older than the newest such position, the floor, is given out yet: it
   * might not be next.
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
            .sorted(Comparator.comparing(Slot<FeedRef>::position).reversed())
            .toList();
    boolean cut = known.size() > limit;
    var part = cut ? known.subList(0, limit) : known;
    return new Page<>(part, cut ? part.getLast().position() : floor);
  }
}
