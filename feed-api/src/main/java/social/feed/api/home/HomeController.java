package social.feed.api.home;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
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

/** The posts of those the caller follows, and the caller's own. */
@RequiresToken
@Controller("/v1/feed")
@Tag(name = "feed")
class HomeController {
  private static final int LIMIT_MAX = 50;

  /** A cursor of one order is none of the other. */
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
          "Newest first; with `special_first` the posts of those whom the caller follows specially come"
              + " before all others. Who they are is settled with the first page, and its cursors are"
              + " good for this order only. With `explain` each post says why it is there: own,"
              + " followed or kept history, pushed or pulled.")
  @Get
  PageBody<PostBody> getHomeFeed(
      Viewer viewer,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor,
      @Nullable @QueryValue Flag explain,
      @Nullable @QueryValue("special_first") Flag specialFirst) {
    FeedView view = readers.open(viewer.userId());
    Optional<FeedView> explained =
        explain != null && explain.isSet() ? Optional.of(view) : Optional.empty();
    if (specialFirst != null && specialFirst.isSet()) {
      return pages
          .list(viewer, AccessPattern.FEED_003, SPECIAL_FIRST)
          .page(
              limit,
              cursor,
              request -> specialFeeds.of(view, request),
              slots -> hydration.ofFeed(viewer, SpecialFirstFeeds.inPlace(slots), explained));
    }
    return pages
        .list(viewer, AccessPattern.FEED_003, "")
        .page(
            limit,
            cursor,
            request -> feeds.of(view, request),
            slots -> hydration.ofFeed(viewer, slots, explained));
  }
}
