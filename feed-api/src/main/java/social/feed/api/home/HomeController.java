package social.feed.api.home;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.query.Flag;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.HydratedPosts;
import social.feed.api.post.PostBody;
import social.feed.api.post.PostHydration;
import social.feed.table.access.AccessPattern;
import social.feed.table.home.FeedView;
import social.feed.table.home.HomeFeeds;
import social.feed.table.home.SpecialFirstFeeds;
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
      @PageOf(AccessPattern.FEED_003) PageParameters page,
      @Nullable @QueryValue Flag explain,
      @Nullable @QueryValue("special_first") Flag specialFirst) {
    FeedView view = readers.open(viewer);
    boolean isExplained = explain != null && explain.isSet();
    boolean isSpecialFirst = specialFirst != null && specialFirst.isSet();
    return pages
        .list(viewer, AccessPattern.FEED_003, isSpecialFirst ? SPECIAL_FIRST : "")
        .skeleton(request -> isSpecialFirst ? specialFirst(view, request) : feeds.of(view, request))
        .hydrate(references -> hydration.ofFeed(viewer, references))
        .filter(HydratedPosts::isInFeed)
        .present(
            (posts, reference) ->
                isExplained ? posts.explained(reference, view) : posts.body(reference))
        .page(page);
  }

  /** Returns the references that belong into the part of the feed that a page is from. */
  private Page<FeedRef> specialFirst(FeedView view, PageRequest request) {
    Page<FeedRef> page = specialFeeds.of(view, request);
    return new Page<>(SpecialFirstFeeds.inPlace(page.slots()), page.next(), page.examined());
  }
}
