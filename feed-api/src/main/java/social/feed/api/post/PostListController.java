package social.feed.api.post;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;
import social.feed.table.access.AccessPattern;
import social.feed.table.post.Posts;

/** Posts of an author, and posts with a tag. */
@RequiresToken
@Controller("/v1")
@Tag(name = "posts")
class PostListController {
  private final Posts posts;
  private final AccountLookup accounts;
  private final PostHydration hydration;
  private final Pages pages;

  PostListController(Posts posts, AccountLookup accounts, PostHydration hydration, Pages pages) {
    this.posts = posts;
    this.accounts = accounts;
    this.hydration = hydration;
    this.pages = pages;
  }

  @Operation(summary = "Posts of an author", description = "Newest first.")
  @MayBeMissing
  @Get("/users/{id}/posts")
  PageBody<PostBody> listPostsOfAuthor(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_002) PageParameters page) {
    accounts.open(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_002, id)
        .skeleton(request -> posts.ofAuthor(id, request))
        .hydrate(references -> hydration.ofList(viewer, references))
        .filter(HydratedPosts::isListed)
        .present(HydratedPosts::body)
        .page(page);
  }

  @Operation(
      summary = "Public posts with a tag",
      description = "Newest first. The tag is normalized: NFKC, lower case.")
  @Get("/tags/{tag}/posts")
  PageBody<PostBody> listPostsWithTag(
      Viewer viewer,
      @PathVariable String tag,
      @PageOf(AccessPattern.FEED_007) PageParameters page) {
    String normal =
        social.feed.table.post.Tag.normalize(tag)
            .orElseThrow(() -> ProblemException.invalid("tag", "is not a tag"));
    return pages
        .list(viewer, AccessPattern.FEED_007, normal)
        .skeleton(request -> posts.withTag(normal, request))
        .hydrate(references -> hydration.ofList(viewer, references))
        .filter(HydratedPosts::isListed)
        .present(HydratedPosts::body)
        .page(page);
  }
}
