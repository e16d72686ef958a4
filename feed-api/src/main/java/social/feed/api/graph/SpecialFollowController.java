package social.feed.api.graph;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;

/** Special follows of the caller. */
@RequiresToken
@NeedsProfile
@MayBeMissing
@MayRefuseBody
@Controller("/v1/users/{id}/special-follow")
@Tag(name = "graph")
class SpecialFollowController {
  private final SpecialFollowService service;

  SpecialFollowController(SpecialFollowService service) {
    this.service = service;
  }

  @Operation(
      summary = "Mark a followed account as special",
      description =
          "The caller gets a notification of each of its posts, and `GET"
              + " /v1/feed?special_first=true` begins with them. The mark ends with the follow. A"
              + " repeat changes nothing.")
  @MayBreakRules
  @Put
  @Status(HttpStatus.NO_CONTENT)
  void followSpecially(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.mark(viewer, id);
  }

  @Operation(
      summary = "Remove the special mark of a follow",
      description = "The follow stays. A repeat changes nothing.")
  @Delete
  @Status(HttpStatus.NO_CONTENT)
  void unfollowSpecially(
      Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.unmark(viewer, id);
  }
}
