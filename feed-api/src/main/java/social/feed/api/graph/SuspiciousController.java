package social.feed.api.graph;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.paging.PageBody;
import social.feed.api.edge.paging.PageOf;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.problem.MayBreakRules;
import social.feed.api.edge.problem.MayRefuseBody;
import social.feed.api.edge.security.OperatorsOnly;
import social.feed.api.edge.security.UserIds;
import social.feed.api.edge.security.Viewer;
import social.feed.table.access.AccessPattern;

/** Accounts whose follows look abnormal, for operators. */
@OperatorsOnly
@Controller("/v1/operator/suspicious")
@Tag(name = "operator")
class SuspiciousController {
  private final SuspiciousService service;

  SuspiciousController(SuspiciousService service) {
    this.service = service;
  }

  @Operation(
      summary = "Accounts whose follows look abnormal",
      description =
          "Only for a token with the scope of operators, `feed:operate`; any other caller gets 404."
              + " The highest score first. An account whose score changes between two pages may be left"
              + " out or come twice. Each reason says what was counted. An account is no longer"
              + " listed 30 days after the last reason.")
  @Get
  PageBody<SuspectBody> listSuspicious(
      Viewer viewer, @PageOf(AccessPattern.FEED_019) PageParameters page) {
    return service.list(viewer, page);
  }

  @Operation(
      summary = "Dismiss what was found of an account",
      description =
          "The account is no longer listed, until its follows look abnormal again. A repeat changes"
              + " nothing. A slow-down goes on.")
  @MayRefuseBody
  @Post("/{id}/dismiss")
  @Status(HttpStatus.NO_CONTENT)
  void dismissSuspicion(@PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.dismiss(id);
  }

  @Operation(
      summary = "Slow an account down",
      description =
          "Until that time the account may follow and unfollow ten accounts a day, or as many as are"
              + " configured; more is 429. It ends by itself. A repeat replaces the end. The account"
              + " need not be listed, but must have followed an account before.")
  @MayRefuseBody
  @MayBreakRules
  @Put("/{id}/slow-down")
  @Status(HttpStatus.NO_CONTENT)
  void slowDown(
      @PathVariable @Pattern(regexp = UserIds.PATTERN) String id,
      @Body @Valid SlowDownRequest request) {
    service.slowDown(id, request.until());
  }

  @Operation(summary = "End a slow-down", description = "A repeat changes nothing.")
  @MayRefuseBody
  @Delete("/{id}/slow-down")
  @Status(HttpStatus.NO_CONTENT)
  void endSlowDown(@PathVariable @Pattern(regexp = UserIds.PATTERN) String id) {
    service.slowDown(id, null);
  }
}
