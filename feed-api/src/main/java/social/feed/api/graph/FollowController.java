package social.feed.api.graph;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.query.Flag;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;

/** Follows of the caller. */
@RequiresToken
@NeedsProfile
@MayBeMissing
@MayRefuseBody
@Controller("/v1/users/{id}/follow")
@Tag(name = "graph")
class FollowController {
  private final FollowService service;

  FollowController(FollowService service) {
    this.service = service;
  }

  @Operation(summary = "Follow an account", description = "A repeat changes nothing.")
  @MayBreakRules
  @Post
  @Status(HttpStatus.NO_CONTENT)
  void follow(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.follow(viewer, id);
  }

  @Operation(
      summary = "Unfollow an account",
      description =
          "With `keep_history` the posts until now stay in the caller's feed. A repeat changes nothing.")
  @MayBreakRules
  @Delete
  @Status(HttpStatus.NO_CONTENT)
  void unfollow(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @Nullable @QueryValue("keep_history") @Flag.TrueOrFalse Flag keepHistory) {
    service.unfollow(viewer, id, Flag.isSet(keepHistory));
  }
}
