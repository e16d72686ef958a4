package social.feed.api.engagement;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostAccess;
import social.feed.api.user.AccountBody;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Likes;
import social.feed.table.row.LikeRef;

/** Likes of a post. */
@RequiresToken
@MayBeMissing
@Controller("/v1/posts/{id}")
@Tag(name = "engagement")
class LikeController {
  private final LikeService service;
  private final Likes likes;
  private final PostAccess access;
  private final AccountCache accounts;
  private final Pages pages;

  LikeController(
      LikeService service, Likes likes, PostAccess access, AccountCache accounts, Pages pages) {
    this.service = service;
    this.likes = likes;
    this.access = access;
    this.accounts = accounts;
    this.pages = pages;
  }

  @Operation(summary = "Like a post", description = "A repeat changes nothing.")
  @NeedsProfile
  @MayRefuseBody
  @Post("/like")
  LikeBody likePost(Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return service.like(viewer, id);
  }

  @Operation(
      summary = "Remove a like",
      description =
          "Also for a post that is no longer visible to the caller. A repeat changes nothing.")
  @NeedsProfile
  @MayRefuseBody
  @Delete("/like")
  @Status(HttpStatus.NO_CONTENT)
  void unlikePost(Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    service.unlike(viewer, id);
  }

  @Operation(summary = "Accounts that like a post", description = "Newest like first.")
  @Get("/likes")
  PageBody<AccountBody> listLikes(
      Viewer viewer,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_005) PageParameters page) {
    int buckets = access.visible(viewer, id).bucketsOfLikes();
    return pages
        .list(viewer, AccessPattern.FEED_005, id)
        .skeleton(request -> likes.of(id, buckets, request))
        .hydrate(references -> accounts.hydrate(viewer, references, LikeRef::userId))
        .filter((likers, like) -> likers.isVisible(like.userId()))
        .present((likers, like) -> likers.body(like.userId()))
        .page(page);
  }
}
