package social.feed.api.graph;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;

/** Mutes of the caller. */
@RequiresToken
@NeedsProfile
@MayBeMissing
@MayRefuseBody
@Controller("/v1/users/{id}/mute")
@Tag(name = "graph")
class MuteController {
  private final BlockService service;

  MuteController(BlockService service) {
    this.service = service;
  }

  @Operation(
      summary = "Mute an account",
      description =
          "Hides its posts from the caller's home feed and suppresses its notifications until the mute"
              + " ends; a follow stays. A repeat replaces the end; without `until` the mute does not"
              + " expire.")
  @MayBreakRules
  @Put
  @Status(HttpStatus.NO_CONTENT)
  void mute(
      Viewer viewer,
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @Nullable @Body @Valid MuteRequest request) {
    service.mute(viewer, id, request == null ? null : request.until());
  }

  @Operation(
      summary = "End a mute",
      description = "Its posts return to the home feed. A repeat changes nothing.")
  @Delete
  @Status(HttpStatus.NO_CONTENT)
  void unmute(Viewer viewer, @PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.unmute(viewer, id);
  }
}
