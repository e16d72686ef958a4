package social.feed.api.home;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.query.Flag;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostBody;
import social.feed.api.post.PostHydration;
import social.feed.table.access.AccessPattern;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.SpecialFirstFeeds;
import social.feed.table.home.SpecialFirstFeeds.Placed;
import social.feed.table.kernel.page.Page;
import social.feed.table.kernel.page.PageRequest;
import social.feed.table.row.FeedRef;

/** The home feed: posts of the accounts that the caller follows, and the caller's own. */
@RequiresToken
@Controller("/v1/feed")
@Tag(name = "feed")
class HomeController {
  /** Cursors of the two orders are not interchangeable. */
  private static final String SPECIAL_FIRST = "special_first";

  private final HomeFeeds feeds;
  private final SpecialFirstFeeds specialFeeds;
  private final FeedReadTracker readers;
  private final PostHydration hydration;
  private final Pages pages;

  HomeController(
      HomeFeeds feeds,
      SpecialFirstFeeds specialFeeds,
      FeedReadTracker readers,
      PostHydration hydration,
      Pages pages) {
    this.feeds = feeds;
    this.specialFeeds = specialFeeds;
    this.readers = readers;
    this.hydration = hydration;
    this.pages = pages;
  }

  @Operation(
      summary = "The caller's home feed",
      description =
          "Newest first. With `special_first` the posts of specially followed accounts come before"
              + " all others; the first page fixes which accounts these are, and its cursors are valid"
              + " for this order only. With `explain` each post contains the reason why it is there:"
              + " own, followed or kept history, pushed or pulled.")
  @Get
  PageBody<PostBody> getHomeFeed(
      Viewer viewer,
      @Nullable @QueryValue @Flag.TrueOrFalse Flag explain,
      @Nullable @QueryValue("special_first") @Flag.TrueOrFalse Flag specialFirst,
      @PageOf(AccessPattern.FEED_003) PageParameters page) {
    FeedView view = readers.open(viewer);
    boolean isExplained = Flag.isSet(explain);
    boolean isSpecialFirst = Flag.isSet(specialFirst);
    return pages
        .list(viewer, AccessPattern.FEED_003, isSpecialFirst ? SPECIAL_FIRST : "")
        .skeleton(isSpecialFirst ? specialFeeds.of(view) : newestFirst(view))
        .hydrate(references -> hydration.ofFeed(viewer, inPlace(references)))
        .filter((posts, placed) -> placed.isInPlace() && posts.isInFeed(placed.reference()))
        .present(
            (posts, placed) ->
                isExplained
                    ? posts.explained(placed.reference(), view)
                    : posts.body(placed.reference()))
        .page(page);
  }

  private Function<PageRequest, Page<Placed>> newestFirst(FeedView view) {
    return feeds.of(view).andThen(page -> page.with(reference -> new Placed(reference, true)));
  }

  private static List<FeedRef> inPlace(List<Placed> references) {
    return references.stream().filter(Placed::isInPlace).map(Placed::reference).toList();
  }
}
