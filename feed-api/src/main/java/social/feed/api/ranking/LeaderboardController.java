package social.feed.api.ranking;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.time.YearMonth;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.ranking.RankedAccount;

/** Authors by followers and tags by use, in lists without pages. */
@RequiresToken
@Controller("/v1")
@Tag(name = "ranking")
class LeaderboardController {
  private static final String MONTH = "^[0-9]{4}-(0[1-9]|1[0-2])$";

  private final Leaderboards leaderboards;
  private final AccountCache accounts;
  private final Pages pages;

  LeaderboardController(Leaderboards leaderboards, AccountCache accounts, Pages pages) {
    this.leaderboards = leaderboards;
    this.accounts = accounts;
    this.pages = pages;
  }

  @Operation(
      summary = "The authors of a month with the most followers",
      description =
          "Highest first. `count` is the number of followers who began to follow until the end of the"
              + " month and still do, or with `by=gained` of those who began in that month and still do."
              + " So an unfollow lowers the count of the month of the follow. Months are in UTC."
              + " `by=followers` goes back 12 months, and ranks past months among the 200 accounts that"
              + " are highest now. Some 10 read units, and up to 1,500 for the followers of a past month."
              + " While the list is cached, for a second or for half a minute, only half a unit an"
              + " author.")
  @Get("/leaderboards/authors")
  PageBody<RankedAuthorBody> listTopAuthors(
      Viewer viewer,
      @Nullable
          @QueryValue
          @Pattern(regexp = MONTH, message = "is a month such as 2026-11, or absent for this one")
          String period,
      @QueryValue(defaultValue = "followers")
          @Pattern(regexp = RankedBy.PATTERN, message = "is followers or gained")
          String by,
      @PageOf(value = AccessPattern.FEED_010, hasCursor = false) PageParameters page) {
    YearMonth month = period == null ? leaderboards.now() : YearMonth.parse(period);
    RankedBy order = RankedBy.valueOf(by.toUpperCase(Locale.ROOT));
    return pages
        .list(viewer, AccessPattern.FEED_010, "")
        .skeleton(leaderboards.authors(month, order))
        .hydrate(references -> accounts.hydrate(viewer, references, RankedAccount::userId))
        .filter((authors, ranked) -> authors.isVisible(ranked.userId()))
        .present(
            (authors, ranked) ->
                RankedAuthorBody.of(authors.body(ranked.userId()), ranked.followers()))
        .first(page.limit());
  }

  @Operation(
      summary = "The tags that are used most at the moment",
      description =
          "Highest first. A public post counts one from the beginning of the hour it was written in, and"
              + " half as much after each half-life, six hours by default. A deleted post, or one that is"
              + " no longer public, counts nothing. At most 5 read units, up to 15 where tags are longer"
              + " than 79 bytes, and none while the list is cached, for a second.")
  @Get("/tags/trending")
  PageBody<TrendingTagBody> listTrendingTags(
      Viewer viewer,
      @PageOf(value = AccessPattern.FEED_015, hasCursor = false) PageParameters page) {
    return pages
        .list(viewer, AccessPattern.FEED_015, "")
        .skeleton(leaderboards.tags())
        .complete()
        .unfiltered()
        .present((_, tag) -> TrendingTagBody.of(tag))
        .first(page.limit());
  }
}
