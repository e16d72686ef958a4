package social.feed.table.home;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageFiller;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FeedRef;

/**
 * Several newest-first lists that one request reads as one. Each list is read once. A page that has
 * too few posts then, and each further page, reads on only the list that was cut at the newest
 * post: below it that list is unknown. So many lists cost as much where one of them has most of the
 * newest posts. Not safe for threads.
 */
final class ContinuedMerge {
  private final List<? extends FeedSource> sources;

  /** The fewest posts that are read of a list at once. */
  private final int each;

  /** What is known of each list below the position, and not returned yet. */
  private final List<Page<FeedRef>> parts;

  private @Nullable String position;
  private int examined;

  /**
   * Reads a part of each list.
   *
   * @param part what is read of each list at first
   */
  ContinuedMerge(List<? extends FeedSource> sources, PageRequest part) {
    this.sources = sources;
    this.each = part.limit();
    this.position = part.after();
    this.parts = new ArrayList<>(read(sources, part));
    forgetOldest();
  }

  /** Returns whether {@link #page} can return what follows a position. */
  boolean continuesAt(@Nullable String after) {
    return after != null
        && (position == null || after.compareTo(position) <= 0)
        && parts.stream()
            .map(Page::next)
            .filter(Objects::nonNull)
            .allMatch(next -> next.compareTo(after) <= 0);
  }

  /**
   * Returns the next page of the merged list. It reads on until it has examined as many posts as
   * requested, so it may be short and have a position to continue from.
   */
  Page<FeedRef> page(PageRequest request) {
    position = request.after();
    parts.replaceAll(this::rest);
    while (true) {
      var merged = Page.merged(parts, request.limit());
      @Nullable String floor = merged.next();
      int missing = request.limit() - merged.slots().size();
      if (missing == 0 || floor == null || examined >= request.limit()) {
        int seen = Math.max(examined, merged.slots().size());
        examined = 0;
        return new Page<>(merged.slots(), floor, seen);
      }
      readOn(floor, missing);
    }
  }

  private Page<FeedRef> rest(Page<FeedRef> part) {
    var rest = part.slots().stream().filter(slot -> isLeft(slot.position())).toList();
    return new Page<>(rest, part.next());
  }

  private boolean isLeft(String of) {
    return position == null || of.compareTo(position) < 0;
  }

  /** Reads more of the lists that are unknown below the floor, which is one in general. */
  private void readOn(String floor, int missing) {
    var cut =
        IntStream.range(0, parts.size())
            .filter(i -> floor.equals(parts.get(i).next()))
            .boxed()
            .toList();
    int limit = cut.size() == 1 ? Math.max(each, missing) : each;
    var more = read(cut.stream().map(sources::get).toList(), new PageRequest(limit, floor));
    for (int i = 0; i < cut.size(); i++) {
      parts.set(cut.get(i), parts.get(cut.get(i)).followedBy(more.get(i)));
    }
    forgetOldest();
  }

  private List<Page<FeedRef>> read(List<? extends FeedSource> some, PageRequest part) {
    var pages = FeedMerge.parts(some, part);
    examined += pages.stream().mapToInt(Page::examined).max().orElse(0);
    return pages.stream().map(page -> downTo(page.next(), page)).toList();
  }

  /** A list can have posts below the end of its page. It reads these again. */
  private static Page<FeedRef> downTo(@Nullable String end, Page<FeedRef> page) {
    var known =
        page.slots().stream()
            .filter(slot -> end == null || slot.position().compareTo(end) >= 0)
            .toList();
    return known.size() == page.slots().size() ? page : new Page<>(known, end);
  }

  /** Bounds what a request has in memory between two reads: it never examines more posts. */
  private void forgetOldest() {
    var newest =
        parts.stream()
            .flatMap(part -> part.slots().stream())
            .map(Positioned::position)
            .sorted(Comparator.reverseOrder())
            .limit(PageFiller.MAX_EXAMINED)
            .toList();
    if (newest.size() == PageFiller.MAX_EXAMINED) {
      parts.replaceAll(part -> downTo(newest.getLast(), part));
    }
  }
}
