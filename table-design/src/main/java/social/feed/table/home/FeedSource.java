package social.feed.table.home;

import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;

/** A list that a home feed is merged from, newest first. */
interface FeedSource {
  /**
   * The part of the list that is older than a position of any source. Positions of all sources have
   * one order, that of their text, which begins with the time.
   */
  Page<FeedRef> page(PageRequest request);
}
