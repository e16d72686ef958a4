package social.feed.api.home;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import social.feed.api.edge.cost.CostHeaders;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;

/** Explains why a post is not in the caller's home feed. */
@RequiresToken
@Controller("/v1/feed/why-missing")
@Tag(name = "feed")
class WhyMissingController {
  private final WhyMissing whyMissing;

  WhyMissingController(WhyMissing whyMissing) {
    this.whyMissing = whyMissing;
  }

  @Operation(
      summary = "Why a post is not in the caller's home feed",
      description = "Strongly consistent. Some nine read units: the post, edge, entry and plan.")
  @Get
  MissingBody explainMissing(
      HttpRequest<?> request,
      Viewer viewer,
      @QueryValue("post_id") @Pattern(regexp = ResourceIds.PATTERN) String postId) {
    MissingBody body = whyMissing.of(viewer, postId);
    if (body.reason() == MissingReason.UNAVAILABLE) {
      CostHeaders.keepSecret(request);
    }
    return body;
  }
}
