package social.feed.api.post;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
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
import social.feed.api.edge.etag.Revalidated;
import social.feed.api.edge.idempotency.IdempotentCreate;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.kernel.id.TimeOrderedId;

/** Single posts. */
@RequiresToken
@Controller("/v1/posts")
@Tag(name = "posts")
class PostController {
  private final PostService posts;
  private final IdempotentCreate idempotentCreate;
  private final RandomGenerator random;

  PostController(PostService posts, IdempotentCreate idempotentCreate, RandomGenerator random) {
    this.posts = posts;
    this.idempotentCreate = idempotentCreate;
    this.random = random;
  }

  @Operation(
      summary = "Write a post",
      description =
          "`#tags` and `@handles` are read from the text. Length counts Unicode code points; nothing is trimmed.")
  @ApiResponse(
      responseCode = "201",
      description = "Written",
      content = @Content(schema = @Schema(implementation = PostBody.class)))
  @NeedsProfile
  @MayRefuseBody
  @MayBreakRules
  @Post
  HttpResponse<String> createPost(
      Viewer viewer,
      HttpRequest<?> request,
      @Nullable @Header("Idempotency-Key") @Pattern(regexp = IdempotentCreate.KEY)
          String idempotencyKey,
      @Body @Valid PostRequest post) {
    return idempotentCreate.create(
        viewer,
        idempotencyKey,
        request,
        post,
        now -> TimeOrderedId.random(now, random),
        resource -> posts.draft(viewer, post, resource));
  }

  @Operation(summary = "A post")
  @Revalidated
  @MayBeMissing
  @Get("/{id}")
  PostBody getPost(Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return posts.get(viewer, id);
  }

  @Operation(
      summary = "Change who may read a post of the caller",
      description =
          "Feeds, tags and mentions follow from the stream; no page shows a post to a caller who may not"
              + " read it.")
  @NeedsProfile
  @MayBeMissing
  @MayRefuseBody
  @Patch("/{id}")
  PostBody changePost(
      Viewer viewer,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @Body PostChangeRequest change) {
    return posts.change(viewer, id, change);
  }

  @Operation(summary = "Delete a post of the caller")
  @NeedsProfile
  @MayBeMissing
  @MayRefuseBody
  @Delete("/{id}")
  @Status(HttpStatus.NO_CONTENT)
  void deletePost(Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    posts.delete(viewer, id);
  }
}
