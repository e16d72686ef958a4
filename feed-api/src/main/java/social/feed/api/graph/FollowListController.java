package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Set;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.api.user.AccountLookup;
import social.feed.api.user.HydratedAccounts;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.row.FollowRef;
import social.feed.table.row.User;

/** Followers of an account, and the accounts that it follows. */
@RequiresToken
@MayBeMissing
@Controller("/v1/users/{id}")
@Tag(name = "graph")
class FollowListController {
  private final FollowEdges follows;
  private final RecentFollowers recentFollowers;
  private final AccountLookup lookup;
  private final AccountCache accounts;
  private final Pages pages;

  FollowListController(
      FollowEdges follows,
      RecentFollowers recentFollowers,
      AccountLookup lookup,
      AccountCache accounts,
      Pages pages) {
    this.follows = follows;
    this.recentFollowers = recentFollowers;
    this.lookup = lookup;
    this.accounts = accounts;
    this.pages = pages;
  }

  @Operation(summary = "Followers of an account", description = "Newest first.")
  @Get("/followers")
  PageBody<AccountBody> listFollowers(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_008) PageParameters page) {
    User followee = lookup.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_008, id)
        .skeleton(request -> recentFollowers.page(followee, request))
        .hydrate(references -> accounts.hydrate(viewer, references, FollowRef::followerId))
        .filter((followers, edge) -> followers.isVisible(edge.followerId()))
        .present(
            (followers, edge) -> followers.body(edge.followerId()).followedAt(edge.createdAt()))
        .page(page);
  }

  @Operation(summary = "Accounts that an account follows", description = "Newest first.")
  @Get("/following")
  PageBody<AccountBody> listFollowing(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_011) PageParameters page) {
    lookup.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_011, id)
        .skeleton(request -> follows.following(id, request))
        .hydrate(references -> accounts.hydrate(viewer, references, FollowRef::followeeId))
        .filter((followees, edge) -> followees.isVisible(edge.followeeId()))
        .present(
            (followees, edge) -> followees.body(edge.followeeId()).followedAt(edge.createdAt()))
        .page(page);
  }

  @Operation(
      summary = "Accounts that both the caller and an account follow",
      description =
          "In the order in which the account followed them, newest first. Half a read unit for each 4 KB"
              + " of the account's list, and one for each of its entries.")
  @Get("/common-following")
  PageBody<AccountBody> listCommonFollowing(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_011) PageParameters page) {
    lookup.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_011, "common " + id)
        .skeleton(request -> follows.following(id, request))
        .hydrate(references -> common(viewer, references))
        .filter((common, edge) -> common.isShared(edge) && common.isVisible(edge))
        .present((common, edge) -> common.body(edge))
        .page(page);
  }

  /** The state of common follows: the shared followees, and their accounts. */
  private record Common(Set<String> followed, HydratedAccounts accounts) {
    boolean isShared(FollowRef edge) {
      return followed.contains(edge.followeeId());
    }

    boolean isVisible(FollowRef edge) {
      return accounts.isVisible(edge.followeeId());
    }

    AccountBody body(FollowRef edge) {
      return accounts.body(edge.followeeId()).followedAt(edge.createdAt());
    }
  }

  /**
   * Reads which followees the caller follows as well, and their accounts. One read unit an edge.
   */
  private Common common(Viewer viewer, List<FollowRef> references) {
    Set<String> followed =
        follows.followedAmong(
            viewer.userId(), references.stream().map(FollowRef::followeeId).toList());
    List<FollowRef> shared =
        references.stream().filter(edge -> followed.contains(edge.followeeId())).toList();
    return new Common(followed, accounts.hydrate(viewer, shared, FollowRef::followeeId));
  }
}
