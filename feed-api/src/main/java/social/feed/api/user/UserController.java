package social.feed.api.user;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.etag.Revalidated;
import social.feed.api.edge.idempotency.IdempotentCreate;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.api.edge.text.TextRule;

/** Profiles. */
@RequiresToken
@Controller("/v1/users")
@Tag(name = "users")
class UserController {
  private final Profiles profiles;
  private final IdempotentCreate idempotentCreate;

  UserController(Profiles profiles, IdempotentCreate idempotentCreate) {
    this.profiles = profiles;
    this.idempotentCreate = idempotentCreate;
  }

  @Operation(
      summary = "Register the caller",
      description =
          "A repeat with the same handle answers 200 with the current profile; another handle is 409"
              + " `already_registered`.")
  @ApiResponse(
      responseCode = "201",
      description = "Registered",
      content = @Content(schema = @Schema(implementation = ProfileBody.class)))
  @ApiResponse(
      responseCode = "200",
      description = "Already registered with this handle",
      content = @Content(schema = @Schema(implementation = ProfileBody.class)))
  @ApiResponse(responseCode = "409")
  @MayRefuseBody
  @MayBreakRules
  @Post
  HttpResponse<String> registerUser(
      Viewer viewer,
      HttpRequest<?> request,
      @Nullable @Header("Idempotency-Key") @Pattern(regexp = IdempotentCreate.KEY)
          String idempotencyKey,
      @Body @Valid RegistrationRequest registration) {
    return idempotentCreate.create(
        viewer,
        idempotencyKey,
        request,
        registration,
        now -> viewer.userId(),
        resource -> profiles.draft(viewer, registration, resource.createdAt()));
  }

  @Operation(
      summary = "The caller's profile",
      description =
          "409 before the caller has registered. `me` is always the caller, never an account id.")
  @NeedsProfile
  @Revalidated
  @Get("/me")
  ProfileBody getOwnUser(Viewer viewer) {
    return profiles.getOwn(viewer);
  }

  @Operation(summary = "A profile")
  @Revalidated
  @MayBeMissing
  @Get("/{id}")
  ProfileBody getUser(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    return profiles.get(viewer, id);
  }

  @Operation(summary = "The profile with a handle")
  @Revalidated
  @MayBeMissing
  @Get("/by-handle/{handle}")
  ProfileBody getUserByHandle(
      Viewer viewer, @PathVariable @Pattern(regexp = TextRule.HANDLE_PATTERN) String handle) {
    return profiles.getByHandle(viewer, handle);
  }

  /**
   * Serves a handle that is also a segment of a route under {@code /v1/users/{id}}. Both routes
   * match with the same length, and the router cannot choose; a route without variables wins.
   */
  @Hidden
  @Revalidated
  @Get("/by-handle/followers")
  ProfileBody getUserFollowers(Viewer viewer) {
    return profiles.getByHandle(viewer, "followers");
  }

  @Hidden
  @Revalidated
  @Get("/by-handle/following")
  ProfileBody getUserFollowing(Viewer viewer) {
    return profiles.getByHandle(viewer, "following");
  }

  @Hidden
  @Revalidated
  @Get("/by-handle/mutuals")
  ProfileBody getUserMutuals(Viewer viewer) {
    return profiles.getByHandle(viewer, "mutuals");
  }

  @Operation(
      summary = "Change the caller's profile",
      description =
          "An absent field stays; an empty bio removes the bio, and null a picture. The file of a replaced or"
              + " removed picture is deleted. The previous handle is free for"
              + " others at once; its mentions stay with the account.")
  @NeedsProfile
  @MayRefuseBody
  @MayBreakRules
  @Patch("/me")
  ProfileBody changeUser(Viewer viewer, @Body @Valid ProfileChangeRequest change) {
    return profiles.change(viewer, change);
  }
}
