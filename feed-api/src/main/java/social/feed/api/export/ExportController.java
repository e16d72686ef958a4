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
  private final ExportLimiter limiter;
  private final AccountLookup accounts;

  ExportController(Exports exports, ExportLimiter limiter, AccountLookup accounts) {
    this.exports = exports;
    this.limiter = limiter;
    this.accounts = accounts;
  }

  @Operation(
      summary = "Export of the caller's data",
      description =
          "One JSON object a line, each with a `kind`: `profile`, `post`, `comment`, `like`, `following`,"
              + " `follower`, `kept_history`, `activity`, `block`, `mute`, `slow_down`, `media`,"
              + " `notification`. Clients ignore blank lines. The last line is"
              + " `{\"kind\":\"end\",\"lines\":n}`; without it the export is incomplete. The headers"
              + " do not contain its cost: a read unit for each row of the account."
              + " Concurrent exports are limited: 503 `export_busy`; so are exports of one caller in a"
              + " period: 429 `too_many_exports`. The server disconnects a client that does not read,"
              + " or reads slowly for minutes.")
  @ApiResponse(
      responseCode = "200",
      description = "Lines of JSON",
      content = @Content(mediaType = PipeWriter.LINES, schema = @Schema(type = "string")))
  @ApiResponse(responseCode = "422")
  @Get
  @Produces(PipeWriter.LINES)
  HttpResponse<Pipe> exportUser(HttpRequest<?> request, Viewer viewer) {
    accounts.caller(viewer);
    if (request.getMethod() == HttpMethod.HEAD) {
      limiter.require(viewer.userId());
      return HttpResponse.<Pipe>ok().contentType(PipeWriter.LINES);
    }
    return HttpResponse.ok(exports.open(viewer));
  }
}
