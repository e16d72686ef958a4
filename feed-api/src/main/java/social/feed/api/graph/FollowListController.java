package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
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
              + " of the account's list, and one for each of its entries. A page examines at most 500"
              + " entries, and is short where too few of them are common; its cursor continues.")
  @Get("/common-following")
  PageBody<AccountBody> listCommonFollowing(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_011) PageParameters page) {
    lookup.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_011, "common " + id)
        .sparse(request -> follows.following(id, request))
        .hydrate(edges -> chosen(viewer, edges, ids -> follows.followedAmong(viewer.userId(), ids)))
        .filter(Chosen::isShown)
        .present(Chosen::body)
        .page(page);
  }

  @Operation(
      summary = "Accounts that an account follows and that follow it back",
      description =
          "In the order in which the account followed them, newest first; `followed_at` is the time of"
              + " that follow. Half a read unit for each 4 KB of the account's list, and half a unit for"
              + " each of its entries. A page examines at most 500 entries, and is short where too few of"
              + " them follow back; its cursor continues.")
  @Get("/mutuals")
  PageBody<AccountBody> listMutuals(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_011) PageParameters page) {
    lookup.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_011, "mutual " + id)
        .sparse(request -> follows.following(id, request))
        .hydrate(edges -> chosen(viewer, edges, ids -> follows.followersAmong(id, ids)))
        .filter(Chosen::isShown)
        .present(Chosen::body)
        .page(page);
  }

  /** The state of a part of the followed accounts: its ids, and the accounts. */
  private record Chosen(Set<String> ids, HydratedAccounts accounts) {
    boolean isShown(FollowRef edge) {
      return ids.contains(edge.followeeId()) && accounts.isVisible(edge.followeeId());
    }

    AccountBody body(FollowRef edge) {
      return accounts.body(edge.followeeId()).followedAt(edge.createdAt());
    }
  }

  /** Reads which followed accounts belong to a list, and reads only these accounts. */
  private Chosen chosen(
      Viewer viewer, List<FollowRef> edges, Function<List<String>, Set<String>> choice) {
    Set<String> ids = choice.apply(edges.stream().map(FollowRef::followeeId).toList());
    List<FollowRef> shown = edges.stream().filter(edge -> ids.contains(edge.followeeId())).toList();
    return new Chosen(ids, accounts.hydrate(viewer, shown, FollowRef::followeeId));
  }
}
