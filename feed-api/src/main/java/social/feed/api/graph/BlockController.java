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

/** Blocks of the caller. */
@RequiresToken
@NeedsProfile
@MayBeMissing
@MayRefuseBody
@Controller("/v1/users/{id}/block")
@Tag(name = "graph")
class BlockController {
  private final BlockService service;

  BlockController(BlockService service) {
    this.service = service;
  }

  @Operation(
      summary = "Block an account",
      description =
          "Ends the follows in both directions and hides both accounts from each other in all"
              + " answers from now on. Only the profile of the blocked account stays visible to the"
              + " caller. A repeat changes nothing.")
  @MayBreakRules
  @Put
  @Status(HttpStatus.NO_CONTENT)
  void block(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.block(viewer, id);
  }

  @Operation(
      summary = "End a block",
      description = "Ended follows stay ended. A repeat changes nothing.")
  @Delete
  @Status(HttpStatus.NO_CONTENT)
  void unblock(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.unblock(viewer, id);
  }
}
