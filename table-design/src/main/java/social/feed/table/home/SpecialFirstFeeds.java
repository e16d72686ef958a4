package social.feed.table.home;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import social.feed.table.graph.SpecialFollows;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.kernel.store.PagedQueries;
import social.feed.table.kernel.store.ParallelCalls;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.FeedRef;

/**
 * Home feeds that begin with the posts of those whom the reader follows specially; after them come
 * all others, each part newest first. Which authors come first, and from which post on, is settled
 * with the first page and goes with each position. So every post has one place, in one of the
 * parts, also when somebody is marked, followed or filled in between two pages; what is new has a
 * place in a part that is still to come, or is not seen.
 *
 * <p>The first part is read from the authors, the second is the feed without what came first.
 */
public final class SpecialFirstFeeds {
  private static final int AT_ONCE = 16;

  /** Of so many authors each is asked for a whole page. */
  private static final int FEW_AUTHORS = 5;

  /** Of more: as many of their posts as half a read unit brings. */
  private static final int FEW_POSTS = 10;

  private final HomeFeeds feeds;
  private final SpecialFollows specials;
  private final FeedAuthors authors;
  private final PagedQueries lists;

  public SpecialFirstFeeds(Table table) {
    this.feeds = new HomeFeeds(table);
    this.specials = new SpecialFollows(table);
    this.authors = new FeedAuthors(table);
    this.lists = new PagedQueries(table);
  }

  /**
   * References of a reader's feed; {@link #inPlace} says which of them are in the part that is
   * read. The first page costs a read unit, and one for each special follow; each page of the first
   * part half a read unit for each special follow, and as much again for those who are pulled; one
   * of the second what {@link HomeFeeds#of} says.
   *
   * @param request positions are those of {@link SpecialFirstCursor}
   */
  public Page<FeedRef> of(FeedView view, PageRequest request) {
    var place =
        request.after() == null
            ? SpecialFirstCursor.begin(since(view.readerId()))
            : SpecialFirstCursor.of(request.after());
    var part = new PageRequest(request.limit(), place.after());
    return place.isRest() ? rest(place, feeds.of(view, part)) : first(view, place, part);
  }

  /** Those of some references that have their place where they are. */
  public static List<Positioned<FeedRef>> inPlace(List<Positioned<FeedRef>> slots) {
    if (slots.isEmpty()) {
      return slots;
    }
    // All of one page are of one part.
    var place = SpecialFirstCursor.of(slots.getFirst().position());
    return slots.stream().filter(slot -> place.isBeside(slot.item())).toList();
  }

  /** Of each special follow how far back the feed goes. */
  private Map<String, Instant> since(String readerId) {
    var marked = specials.by(readerId);
    var since = new LinkedHashMap<String, Instant>();
    if (!marked.isEmpty()) {
      authors.among(readerId, marked).forEach(a -> since.put(a.authorId(), a.since()));
    }
    return since;
  }

  private Page<FeedRef> first(FeedView view, SpecialFirstCursor place, PageRequest request) {
    int each =
        place.since().size() <= FEW_AUTHORS
            ? request.limit()
            : Math.min(FEW_POSTS, request.limit());
    var part = new PageRequest(each, request.after());
    List<Page<FeedRef>> pages =
        ParallelCalls.map(sources(view, place), AT_ONCE, source -> source.page(part));
    var merged = FeedMerge.of(pages, request.limit());
    var next = merged.next() == null ? place.rest() : place.at(merged.next());
    return new Page<>(placed(place, merged.slots()), next.text(), merged.examined());
  }

  private List<FeedSource> sources(FeedView view, SpecialFirstCursor place) {
    var pushed =
        place.since().entrySet().stream()
            .filter(author -> reaches(author.getValue(), place))
            .map(a -> new FeedAuthor(view.readerId(), a.getKey(), a.getValue(), null))
            .<FeedSource>map(author -> new EligiblePosts(lists, author));
    var pulled =
        view.pulled().stream()
            .filter(author -> place.since().containsKey(author.authorId()))
            .map(
                author ->
                    author.notBefore(place.since().getOrDefault(author.authorId(), Instant.MAX)))
            .<FeedSource>map(author -> new PulledPosts(lists, author));
    return Stream.concat(pushed, pulled).toList();
  }

  private static boolean reaches(Instant since, SpecialFirstCursor place) {
    return place.after() == null || !since.isAfter(Timestamps.leading(place.after()));
  }

  private static Page<FeedRef> rest(SpecialFirstCursor place, Page<FeedRef> page) {
    return new Page<>(
        placed(place, page.slots()),
        page.next() == null ? null : place.at(page.next()).text(),
        page.examined());
  }

  private static List<Positioned<FeedRef>> placed(
      SpecialFirstCursor place, List<Positioned<FeedRef>> slots) {
    return slots.stream()
        .map(slot -> new Positioned<>(place.at(slot.position()).text(), slot.item()))
        .toList();
  }
}
