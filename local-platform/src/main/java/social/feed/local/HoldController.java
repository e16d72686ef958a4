package social.feed.local;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;

/** Holds the multiplexer during a bulk load. On the local platform only. */
@Controller("/v1/dev/hold")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
final class HoldController {
  private final StreamControl stream;

  HoldController(StreamControl stream) {
    this.stream = stream;
  }

  /**
   * Holds the multiplexer until the time is over or a drain begins.
   *
   * @param millis time in milliseconds, at most a minute
   */
  @Post
  @Status(HttpStatus.NO_CONTENT)
  void hold(@QueryValue(defaultValue = "10000") int millis) {
    stream.hold(StreamControl.bounded(millis));
  }
}
