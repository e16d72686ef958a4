package social.feed.api.post;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.time.InstantSource;
import social.feed.api.edge.problem.MayBeMissing;
import social.feed.api.edge.query.ResourceIds;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;
import social.feed.table.home.FanOuts;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.row.FanOutMode;
import social.feed.table.row.Post;

/** The delivery of a post, for its author. */
@RequiresToken
@Controller("/v1/posts/{id}/delivery")
@Tag(name = "posts")
class DeliveryController {
  private final PostAccess access;
  private final FanOuts fanOuts;
  private final InstantSource clock;

  DeliveryController(PostAccess access, FanOuts fanOuts, InstantSource clock) {
    this.access = access;
    this.fanOuts = fanOuts;
    this.clock = clock;
  }

  @Operation(
      summary = "Delivery progress of a post of the caller",
      description = "Two read units, and one more for each 7 000 followers.")
  @MayBeMissing
  @Get
  DeliveryBody getDelivery(
      Viewer viewer, @PathVariable @Pattern(regexp = ResourceIds.PATTERN) String id) {
    Post post = access.own(viewer, id);
    Instant now = clock.instant();
    if (post.delivery() == FanOutMode.PULL) {
      return DeliveryBody.pulled();
    }
    return fanOuts
        .progress(id, now)
        .map(progress -> DeliveryBody.of(post, progress, now))
        .orElseGet(
            () ->
                post.createdAt().isBefore(now.minus(Retention.FAN_OUT_PLANS))
                    ? DeliveryBody.expired()
                    : DeliveryBody.pending(post, now));
  }
}
