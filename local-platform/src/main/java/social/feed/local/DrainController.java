package social.feed.local;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;

/**
 * Waits for the multiplexer, so that tools and tests need no sleeps. On the local platform only.
 */
@Controller("/v1/dev/drain")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
final class DrainController {
  private final StreamControl stream;

  DrainController(StreamControl stream) {
    this.stream = stream;
  }

  /**
   * Answers 200 when all earlier writes have had their effects, otherwise 202 with the progress.
   *
   * @param patienceMs time to wait before the answer is 202, in milliseconds, at most a minute
   */
  @Post
  @Produces(MediaType.TEXT_PLAIN)
  HttpResponse<String> drain(
      @QueryValue(value = "patience_ms", defaultValue = "5000") int patienceMs) {
    return stream
        .drain(StreamControl.bounded(patienceMs))
        .map(progress -> HttpResponse.<String>accepted().body(progress))
        .orElseGet(() -> HttpResponse.ok("drained"));
  }
}
