package social.feed.api.live;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;

/** What happens to the caller, as it happens. */
@RequiresToken
@Controller(LiveController.PATH)
@Tag(name = "stream")
class LiveController {
  static final String PATH = "/v1/stream";

  private final LiveStreams streams;
  private final InstantSource clock;

  LiveController(LiveStreams streams, InstantSource clock) {
    this.streams = streams;
    this.clock = clock;
  }

  @Operation(
      summary = "What comes into the caller's home feed and notifications, as it happens",
      description =
          "Server-sent events: `feed_entry` with a post and `notification` with a notification, both"
              + " as pages have them. A new client opens the stream first and reads its pages then."
              + " One that comes back with the id of its last event is sent exactly what it missed,"
              + " once; `resync` tells it to read its first pages instead, since it was away for too"
              + " long (`too_old`) or missed too much (`too_many`). An id begins with the sort key of"
              + " its event; a sort key alone is taken as well. Comments say that the stream is"
              + " alive, and move the id on. The stream ends with the"
              + " token, and after a quarter of an hour at most; a client then comes back as after"
              + " any other break.")
  @ApiResponse(
      responseCode = "200",
      description = "The stream",
      content =
          @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")))
  @Get(headRoute = false, produces = MediaType.TEXT_EVENT_STREAM)
  MutableHttpResponse<Pipe> openStream(
      Viewer viewer, @Nullable @Header(EventId.HEADER) @Schema(minLength = 24) String lastEventId) {
    EventId last = lastEventId == null ? null : EventId.parse(lastEventId, clock.instant());
    return HttpResponse.ok(streams.open(viewer, last))
        // A proxy that gathers an answer before it passes it on would gather this one for ever.
        .header("X-Accel-Buffering", "no");
  }
}
