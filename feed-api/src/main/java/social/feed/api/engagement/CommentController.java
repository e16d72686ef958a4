package social.feed.api.engagement;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.idempotency.IdempotentCreate;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.paging.Pages;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.post.PostAccess;
import social.feed.api.user.AccountCache;
import social.feed.table.access.AccessPattern;
import social.feed.table.engagement.Comments;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.row.Comment;

/** Comments of a post. */
@RequiresToken
@MayBeMissing
@Controller("/v1/posts/{id}/comments")
@Tag(name = "engagement")
class CommentController {
  private final CommentService service;
  private final Comments comments;
  private final PostAccess access;
  private final AccountCache accounts;
  private final Pages pages;
  private final IdempotentCreate idempotentCreate;
  private final RandomGenerator random;

  CommentController(
      CommentService service,
      Comments comments,
      PostAccess access,
      AccountCache accounts,
      Pages pages,
      IdempotentCreate idempotentCreate,
      RandomGenerator random) {
    this.service = service;
    this.comments = comments;
    this.access = access;
    this.accounts = accounts;
    this.pages = pages;
    this.idempotentCreate = idempotentCreate;
    this.random = random;
  }

  @Operation(summary = "Comment on a post")
  @ApiResponse(
      responseCode = "201",
      description = "Written",
      content = @Content(schema = @Schema(implementation = CommentBody.class)))
  @NeedsProfile
  @MayRefuseBody
  @MayBreakRules
  @Post
  HttpResponse<String> createComment(
      Viewer viewer,
      HttpRequest<?> request,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @Nullable @Header("Idempotency-Key") @Pattern(regexp = IdempotentCreate.KEY)
          String idempotencyKey,
      @Body @Valid CommentRequest comment) {
    return idempotentCreate.create(
        viewer,
        idempotencyKey,
        request,
        comment,
        now -> TimeOrderedId.random(now, random),
        resource -> service.draft(viewer, id, comment, resource));
  }

  @Operation(summary = "Comments of a post", description = "Oldest first.")
  @Get
  PageBody<CommentBody> listComments(
      Viewer viewer,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @PageOf(AccessPattern.FEED_006) PageParameters page) {
    access.visible(viewer, id);
    return pages
        .list(viewer, AccessPattern.FEED_006, id)
        .skeleton(request -> comments.of(id, request))
        .hydrate(references -> accounts.hydrate(viewer, references, Comment::authorId))
        .filter((authors, comment) -> authors.isVisible(comment.authorId()))
        .present((authors, comment) -> CommentBody.of(comment, authors.body(comment.authorId())))
        .page(page);
  }

  @Operation(
      summary = "Delete a comment",
      description = "The caller must be the author of the comment or of the post.")
  @NeedsProfile
  @MayRefuseBody
  @Delete("/{comment_id}")
  @Status(HttpStatus.NO_CONTENT)
  void deleteComment(
      Viewer viewer,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @PathVariable("comment_id") @Pattern(regexp = ResourceIds.PATTERN) String commentId) {
    service.delete(viewer, id, commentId);
  }
}
