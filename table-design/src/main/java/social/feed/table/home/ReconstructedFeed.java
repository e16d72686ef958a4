package social.feed.table.home;

import java.util.List;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.row.FeedRef;

/**
 * What a feed would hold if it held everything, read from the authors. For what is too old to be
 * stored, and until the feed of somebody who comes back was brought up to date. Costs half a read
 * unit for each account that the reader follows, and half of one more for each whose posts reach
 * back that far.
 */
record ReconstructedFeed(PagedQueries lists, FeedAuthors authors, String readerId)
    implements FeedSource {
  private static final int AT_ONCE = 16;

  /** Of so many authors each is asked for a whole page. */
  private static final int FEW_AUTHORS = 200;

  /** Of more, which bounds the memory: 6 000 authors with a few posts each. */
  private static final int FEW_POSTS = 10;

  @Override
  public Page<FeedRef> page(PageRequest request) {
    var all = authors.of(readerId, request.after());
    int each = all.size() <= FEW_AUTHORS ? request.limit() : Math.min(FEW_POSTS, request.limit());
    var part = new PageRequest(each, request.after());
    List<Page<FeedRef>> pages =
        ParallelCalls.map(all, AT_ONCE, author -> new EligiblePosts(lists, author).page(part));
    return FeedMerge.of(pages, request.limit());
  }
}
