package social.feed.api.graph;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.api.user.AccountLookup;
import social.feed.table.access.AccessPattern;
import social.feed.table.graph.FollowEdges;
import social.feed.table.kernel.page.Positioned;
import social.feed.table.row.FollowRef;
import social.feed.table.row.User;

/** Who follows an account, and whom it follows. */
@RequiresToken
@MayBeMissing
@Controller("/v1/users/{id}")
@Tag(name = "graph")
class FollowListController {
  private static final int LIMIT_MAX = 500;

  private final FollowEdges follows;
  private final RecentFollowers recentFollowers;
  private final AccountLookup members;
  private final AccountCache accounts;
  private final Pages pages;

  FollowListController(
      FollowEdges follows,
      RecentFollowers recentFollowers,
      AccountLookup members,
      AccountCache accounts,
      Pages pages) {
    this.follows = follows;
    this.recentFollowers = recentFollowers;
    this.members = members;
    this.accounts = accounts;
    this.pages = pages;
  }

  @Operation(summary = "Followers of an account", description = "Newest first.")
  @Get("/followers")
  PageBody<AccountBody> listFollowers(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    var list = pages.list(viewer, AccessPattern.FEED_008, id);
    User followee = members.open(viewer, id);
    return list.page(
        limit,
        cursor,
        request -> recentFollowers.page(followee, request),
        slots -> dress(viewer, slots, FollowRef::followerId));
  }

  @Operation(summary = "Accounts that an account follows", description = "Newest first.")
  @Get("/following")
  PageBody<AccountBody> listFollowing(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    var list = pages.list(viewer, AccessPattern.FEED_011, id);
    members.open(viewer, id);
    return list.page(
        limit,
        cursor,
        request -> follows.following(id, request),
        slots -> dress(viewer, slots, FollowRef::followeeId));
  }

  @Operation(
      summary = "Accounts that both the caller and an account follow",
      description =
          "In the order in which the account followed them, newest first. Half a read unit for each 4 KB"
              + " of the account's list and one for each of its entries.")
  @Get("/common-following")
  PageBody<AccountBody> listCommonFollowing(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @QueryValue(defaultValue = "20") @Min(1) @Max(LIMIT_MAX) int limit,
      @Nullable @QueryValue @Schema(minLength = 1) String cursor) {
    members.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_011, "common " + id)
        .page(
            limit,
            cursor,
            request -> follows.following(id, request),
            slots -> dress(viewer, common(viewer, slots), FollowRef::followeeId));
  }

  private List<Positioned<FollowRef>> common(Viewer viewer, List<Positioned<FollowRef>> slots) {
    Set<String> followed =
        follows.followedAmong(
            viewer.userId(), slots.stream().map(slot -> slot.item().followeeId()).toList());
    return slots.stream().filter(slot -> followed.contains(slot.item().followeeId())).toList();
  }

  private List<Positioned<AccountBody>> dress(
      Viewer viewer, List<Positioned<FollowRef>> slots, Function<FollowRef, String> other) {
    return accounts.dress(
        viewer, slots, other, (edge, account) -> account.followedAt(edge.createdAt()));
  }
}
