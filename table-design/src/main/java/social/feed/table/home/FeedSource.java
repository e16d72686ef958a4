package social.feed.table.home;

import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;

/** A newest-first list that is part of a home feed. */
interface FeedSource {
  /**
   * Returns the posts that are older than a position, which may come from any source. The positions
   * of all sources share one order, that of their text, which starts with the time.
   */
  Page<FeedRef> page(PageRequest request);
}
