package social.feed.api.user;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.search.Searches;

/** Accounts by their handles and names, for a field that completes what is typed. */
@RequiresToken
@Controller("/v1")
@Tag(name = "search")
class AccountSearchController {
  private final Searches searches;
  private final AccountCache accounts;
  private final Pages pages;

  AccountSearchController(Searches searches, AccountCache accounts, Pages pages) {
    this.searches = searches;
    this.accounts = accounts;
    this.pages = pages;
  }

  @Operation(
      summary = "Accounts with some words in handle or name",
      description =
          "Words may be beginnings; a typing error is forgiven in words of four or more characters, two"
              + " in words of eight or more, but not in the first character. Exact words come first,"
              + " then beginnings, then misspelled ones, each by handle. What the caller may not see is"
              + " never shown, from the next request on. A page reads at most 500 accounts, at a read unit"
              + " each, and may then be short. A search ends after 1,000 accounts. 404 `search_off` where the"
              + " deployment has no search.")
  @MayBeMissing
  @Get("/search/accounts")
  PageBody<AccountBody> searchAccounts(
      Viewer viewer,
      @QueryValue @Pattern(regexp = Searches.TEXT, message = Searches.TEXT_MESSAGE) String q,
      @PageOf(max = 50) PageParameters page) {
    var search = searches.begin(viewer.userId());
    return pages
        .list(viewer, "search-accounts", q)
        .bounded(request -> search.accounts(q, request), search::mayGoOn)
        .hydrate(ids -> accounts.hydrateCurrent(viewer, ids))
        .filter(HydratedAccounts::isVisible)
        .present(HydratedAccounts::body)
        .page(page);
  }
}
