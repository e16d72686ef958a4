package social.feed.table.home;

import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.row.FeedRef;

/**
 * A feed that is read from its authors, with the entries that a complete feed would have. It serves
 * posts that are too old to be stored, and the feed of a reader who returns until that feed is
 * rebuilt. One request costs half a read unit for each account that the reader follows, and another
 * half for each account whose posts reach back that far, however many pages it reads. Of more than
 * {@value #FULL_PAGE_AUTHORS} authors, one with more than {@value #POSTS_PER_AUTHOR} of the posts
 * costs half a unit more for each page. Not safe for threads.
 */
final class ReconstructedFeed implements FeedSource {
  /** Up to this number of authors, each query requests a whole page. */
  private static final int FULL_PAGE_AUTHORS = 200;

  /**
   * The posts requested from each of a larger number of authors. It bounds the memory: 6 000
   * authors with a few posts each.
   */
  private static final int POSTS_PER_AUTHOR = 10;

  private final PagedQueries lists;
  private final FeedAuthors authors;
  private final FeedView view;
  private final HomeFeeds.Gate gate;
  private @Nullable ContinuedMerge merge;

  /**
   * @param gate admits the first page of more than {@value #FULL_PAGE_AUTHORS} authors
   */
  ReconstructedFeed(PagedQueries lists, FeedAuthors authors, FeedView view, HomeFeeds.Gate gate) {
    this.lists = lists;
    this.authors = authors;
    this.view = view;
    this.gate = gate;
  }

  @Override
  public Page<FeedRef> page(PageRequest request) {
    @Nullable ContinuedMerge known = merge;
    if (known != null && known.continuesAt(request.after())) {
      return known.page(request);
    }
    var all = authors.of(view.readerId(), request.after());
    return all.size() <= FULL_PAGE_AUTHORS
        ? read(all, request)
        : gate.admit(view.readerId(), () -> read(all, request));
  }

  private Page<FeedRef> read(List<FeedAuthor> all, PageRequest request) {
    int each =
        all.size() <= FULL_PAGE_AUTHORS
            ? request.limit()
            : Math.min(POSTS_PER_AUTHOR, request.limit());
    var pulled = view.pulledById();
    var sources =
        all.stream()
            .map(author -> new EligiblePosts(lists, author, pulled.get(author.authorId())))
            .toList();
    var read = new ContinuedMerge(sources, new PageRequest(each, request.after()));
    merge = read;
    return read.page(request);
  }
}
