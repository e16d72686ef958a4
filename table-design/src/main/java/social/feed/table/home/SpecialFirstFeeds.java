package social.feed.table.home;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import social.feed.table.graph.FollowQuotas;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedRef;

/**
 * Home feeds that start with the posts of specially followed authors, followed by all other posts.
 * Each part is newest first. The first page determines which authors come first, and from which
 * post on; each position contains that decision. So every post belongs in exactly one part, even
 * after a follow, a special follow or a backfill between two pages. A post that arrives later
 * appears if its place is still to come.
 *
 * <p>The first part is read from the authors. The second part is the feed without the posts of the
 * first part.
 */
public final class SpecialFirstFeeds {
  /** Up to this number of authors, each query requests a whole page. */
  private static final int FULL_PAGE_AUTHORS = 5;

  /**
   * The posts requested from each of a larger number of authors: as many as half a read unit
   * returns.
   */
  private static final int POSTS_PER_AUTHOR = 10;

  private final HomeFeeds feeds;
  private final FollowQuotas quotas;
  private final FeedAuthors authors;
  private final PagedQueries lists;

  /**
   * A reference in one part of the feed.
   *
   * @param isInPlace whether the post belongs in this part; otherwise it must not be shown here
   */
  public record Placed(FeedRef reference, boolean isInPlace) {}

  /**
   * @param feeds the feeds without this order
   */
  public SpecialFirstFeeds(Table table, HomeFeeds feeds) {
    this.feeds = feeds;
    this.quotas = new FollowQuotas(table);
    this.authors = new FeedAuthors(table);
    this.lists = new PagedQueries(table);
  }

  /**
   * Returns a reader's feed for one request, which reads one or more pages one after the other. A
   * page has references, those that belong in the other part included. The first page costs one
   * read unit, and one for each special follow. Each page of the first part costs half a read unit
   * for each special follow, and as much again for each of them who is pulled. A page of the second
   * part costs as much as {@link HomeFeeds#of(FeedView)}.
   *
   * @return reads a page; the positions are those of {@link SpecialFirstCursor}
   */
  public Function<PageRequest, Page<Placed>> of(FeedView view) {
    var rest = feeds.of(view);
    return request -> page(view, rest, request);
  }

  private Page<Placed> page(
      FeedView view, Function<PageRequest, Page<FeedRef>> rest, PageRequest request) {
    var cursor =
        request.after() == null ? begin(view.readerId()) : SpecialFirstCursor.of(request.after());
    var partRequest = new PageRequest(request.limit(), cursor.after());
    return cursor.isRest()
        ? rest(cursor, rest.apply(partRequest))
        : first(view, cursor, partRequest);
  }

  /** Returns the start of a feed, with the feed's period of each special follow. */
  private SpecialFirstCursor begin(String readerId) {
    var special = quotas.of(readerId).specials();
    var since = new LinkedHashMap<String, Instant>();
    var gaps = new LinkedHashMap<String, FeedGap>();
    if (!special.isEmpty()) {
      for (var author : authors.among(readerId, special)) {
        since.put(author.authorId(), author.since());
        if (author.gap() != null) {
          gaps.put(author.authorId(), author.gap());
        }
      }
    }
    return SpecialFirstCursor.begin(since, gaps);
  }

  private Page<Placed> first(FeedView view, SpecialFirstCursor cursor, PageRequest request) {
    int each =
        cursor.since().size() <= FULL_PAGE_AUTHORS
            ? request.limit()
            : Math.min(POSTS_PER_AUTHOR, request.limit());
    var partRequest = new PageRequest(each, request.after());
    var merged = FeedMerge.read(sources(view, cursor), partRequest, request.limit());
    var next = merged.next() == null ? cursor.rest() : cursor.at(merged.next());
    return new Page<>(withCursor(cursor, merged.slots()), next.text(), merged.examined());
  }

  private List<FeedSource> sources(FeedView view, SpecialFirstCursor cursor) {
    var pulledById = view.pulledById();
    var pushed =
        cursor.since().entrySet().stream()
            .filter(author -> reachesBack(author.getValue(), cursor))
            .map(a -> author(view.readerId(), a.getKey(), a.getValue(), cursor))
            .<FeedSource>map(a -> new EligiblePosts(lists, a, pulledById.get(a.authorId())));
    var pulled =
        view.pulled().stream()
            .filter(author -> cursor.since().containsKey(author.authorId()))
            .map(
                author ->
                    author.notBefore(cursor.since().getOrDefault(author.authorId(), Instant.MAX)))
            .<FeedSource>map(author -> new PulledPosts(lists, author));
    return Stream.concat(pushed, pulled).toList();
  }

  private static FeedAuthor author(
      String readerId, String authorId, Instant since, SpecialFirstCursor cursor) {
    return new FeedAuthor(readerId, authorId, since, null, cursor.gaps().get(authorId));
  }

  private static boolean reachesBack(Instant since, SpecialFirstCursor cursor) {
    return cursor.after() == null || !since.isAfter(Timestamps.leading(cursor.after()));
  }

  private static Page<Placed> rest(SpecialFirstCursor cursor, Page<FeedRef> page) {
    return new Page<>(
        withCursor(cursor, page.slots()),
        page.next() == null ? null : cursor.at(page.next()).text(),
        page.examined());
  }

  private static List<Positioned<Placed>> withCursor(
      SpecialFirstCursor cursor, List<Positioned<FeedRef>> slots) {
    return slots.stream()
        .map(
            slot ->
                new Positioned<>(
                    cursor.at(slot.position()).text(),
                    new Placed(slot.item(), cursor.isInSamePart(slot.item()))))
        .toList();
  }
}
