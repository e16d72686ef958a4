package social.feed.api.graph;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;

/** Followers of the caller. */
@RequiresToken
@NeedsProfile
@MayBeMissing
@MayRefuseBody
@Controller("/v1/users/me/followers/{id}")
@Tag(name = "graph")
class FollowerController {
  private final FollowService service;

  FollowerController(FollowService service) {
    this.service = service;
  }

  @Operation(
      summary = "Remove a follower",
      description =
          "As if the follower had unfollowed; they may follow again. A repeat changes nothing.")
  @Delete
  @Status(HttpStatus.NO_CONTENT)
  void removeFollower(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.remove(viewer, id);
  }
}
