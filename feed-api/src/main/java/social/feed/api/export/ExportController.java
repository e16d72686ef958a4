package social.feed.api.export;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.InputStream;
import social.feed.api.problem.NeedsProfile;
import social.feed.api.security.ForMembers;
import social.feed.api.security.Viewer;
import social.feed.api.user.Members;

/** Everything of the caller. */
@ForMembers
@NeedsProfile
@Controller("/v1/users/me/export")
@Tag(name = "users")
class ExportController {
  private static final String LINES = "application/x-ndjson";

  private final Exports exports;
  private final Members members;

  ExportController(Exports exports, Members members) {
    this.exports = exports;
    this.members = members;
  }

  @Operation(
      summary = "Everything of the caller",
      description =
          "A JSON object a line, each with a `kind`: `profile`, `post`, `comment`, `like`, `following`,"
              + " `follower`, `kept_history`, `activity`, `block`, `mute`,"
              + " `notification`. Blank lines mean nothing. The last line is"
              + " `{\"kind\":\"end\",\"lines\":n}`; without it the export was cut off. It takes as"
              + " long as walking through the whole table, and the headers do not say what that"
              + " costs. Few are written at once: 503 `export_busy`.")
  @ApiResponse(
      responseCode = "200",
      description = "Lines of JSON",
      content = @Content(mediaType = LINES, schema = @Schema(type = "string")))
  @Get
  @Produces(LINES)
  InputStream exportUser(Viewer viewer) {
    members.caller(viewer);
    return exports.of(viewer.userId());
  }
}
