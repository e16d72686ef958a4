package social.feed.api.media;

import io.micronaut.context.annotation.Requires;
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
import social.feed.api.edge.idempotency.IdempotentCreate;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.media.MediaStore;

/** Files of the caller. */
@RequiresToken
@NeedsProfile
@Requires(beans = MediaStore.class)
@Controller("/v1/media")
@Tag(name = "media")
class MediaController {
  private final MediaService media;
  private final IdempotentCreate idempotentCreate;
  private final RandomGenerator random;

  MediaController(MediaService media, IdempotentCreate idempotentCreate, RandomGenerator random) {
    this.media = media;
    this.idempotentCreate = idempotentCreate;
    this.random = random;
  }

  @Operation(
      summary = "Announce the upload of an image",
      description =
          "The response says where to send the bytes. `POST /v1/media/{id}/complete` then checks them."
              + " A pending upload counts for the quota and expires. Without a configured store"
              + " the routes of media do not exist (404).")
  @ApiResponse(
      responseCode = "201",
      description = "Announced",
      content = @Content(schema = @Schema(implementation = UploadBody.class)))
  @MayRefuseBody
  @MayBreakRules
  @Post
  HttpResponse<String> announceMedia(
      Viewer viewer,
      HttpRequest<?> request,
      @Nullable @Header("Idempotency-Key") @Pattern(regexp = IdempotentCreate.KEY)
          String idempotencyKey,
      @Body @Valid MediaRequest file) {
    return idempotentCreate.create(
        viewer,
        idempotencyKey,
        request,
        file,
        now -> TimeOrderedId.random(now, random),
        resource -> media.draft(viewer, file, resource));
  }

  @Operation(
      summary = "Complete an upload",
      description =
          "Checks size, digest and content, removes all metadata and makes smaller sizes. A repeat"
              + " changes nothing.")
  @MayBeMissing
  @MayRefuseBody
  @MayBreakRules
  @Post("/{id}/complete")
  MediaBody completeMedia(
      Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return media.complete(viewer, id);
  }

  @Operation(summary = "A file of the caller")
  @MayBeMissing
  @Get("/{id}")
  MediaBody getMedia(
      Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    return media.get(viewer, id);
  }

  @Operation(summary = "Change the description of a file of the caller")
  @MayBeMissing
  @MayRefuseBody
  @MayBreakRules
  @Patch("/{id}")
  MediaBody changeMedia(
      Viewer viewer,
      @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id,
      @Body @Valid MediaChangeRequest change) {
    return media.change(viewer, id, change);
  }

  @Operation(
      summary = "Delete a file of the caller",
      description = "Its bytes and its share of the quota follow from the stream.")
  @MayBeMissing
  @MayRefuseBody
  @Delete("/{id}")
  @Status(HttpStatus.NO_CONTENT)
  void deleteMedia(Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    media.delete(viewer, id);
  }
}
