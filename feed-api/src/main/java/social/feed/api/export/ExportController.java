package social.feed.api.export;

import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.pipe.PipeWriter;
import social.feed.api.edge.problem.NeedsProfile;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.api.user.AccountLookup;

/** Everything of the caller. */
@RequiresToken
@NeedsProfile
@Controller(ExportController.PATH)
@Tag(name = "users")
class ExportController {
  static final String PATH = "/v1/users/me/export";

  private final Exports exports;
  private final ExportLimiter places;
  private final AccountLookup members;

  ExportController(Exports exports, ExportLimiter places, AccountLookup members) {
    this.exports = exports;
    this.places = places;
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
              + " costs. Few are written at once: 503 `export_busy`, and of one caller one in a while:"
              + " 429 `too_many_exports`. A client that does not read, or slowly for minutes, is cut"
              + " off.")
  @ApiResponse(
      responseCode = "200",
      description = "Lines of JSON",
      content = @Content(mediaType = PipeWriter.LINES, schema = @Schema(type = "string")))
  @Get
  @Produces(PipeWriter.LINES)
  HttpResponse<Pipe> exportUser(HttpRequest<?> request, Viewer viewer) {
    members.caller(viewer);
    if (request.getMethod() == HttpMethod.HEAD) {
      places.require(viewer.userId());
      return HttpResponse.<Pipe>ok().contentType(PipeWriter.LINES);
    }
    return HttpResponse.ok(exports.open(viewer));
  }
}
