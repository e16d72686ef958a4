package social.feed.table.home;

import java.util.List;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
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
    return Page.merged(parts(sources, part), limit);
  }

  /** Reads the next page of each source, some at once, in the order of the sources. */
  static List<Page<FeedRef>> parts(List<? extends FeedSource> sources, PageRequest part) {
    return ParallelCalls.map(sources, AT_ONCE, source -> source.page(part));
  }
}
