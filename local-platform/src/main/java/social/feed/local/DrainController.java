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
import java.time.Duration;

/**
 * Lets tools and tests wait for the multiplexer instead of sleeping. On the local platform only.
 */
@Controller("/v1/dev/drain")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
final class DrainController {
  private static final int LONGEST = 60_000;

  private final StreamControl stream;

  DrainController(StreamControl stream) {
    this.stream = stream;
  }

  /**
   * 200 when everything written before has had its effects, 202 and how far it is otherwise.
   *
   * @param patienceMs how long to wait before it is 202, at most a minute
   */
  @Post
  @Produces(MediaType.TEXT_PLAIN)
  HttpResponse<String> drain(
      @QueryValue(value = "patience_ms", defaultValue = "5000") int patienceMs) {
    return stream
        .drain(Duration.ofMillis(Math.clamp(patienceMs, 0, LONGEST)))
        .map(progress -> HttpResponse.<String>accepted().body(progress))
        .orElseGet(() -> HttpResponse.ok("drained"));
  }
}
