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
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.RequiresToken;
import social.feed.api.edge.security.Viewer;

/** The stream of the caller's new feed entries and notifications. */
@RequiresToken
@Controller(LiveController.PATH)
@Tag(name = "stream")
class LiveController {
  static final String PATH = "/v1/stream";

  private final LiveStreams streams;

  LiveController(LiveStreams streams) {
    this.streams = streams;
  }

  @Operation(
      summary = "Stream of the caller's new feed entries and notifications",
      description =
          "Server-sent events: `feed_entry` with a post and `notification` with a notification, both"
              + " as in pages. A new client opens the stream first and then reads its pages. A client"
              + " that reconnects with the id of its last event gets exactly the missed events, once."
              + " It gets `resync` instead when it was disconnected for too long (`too_old`) or missed"
              + " too many events (`too_many`), and must read its first pages. An id begins with the"
              + " sort key of its event; a sort key alone is valid as well. Comments are heartbeats,"
              + " and advance the id. The stream ends with the token, and after a quarter of an hour"
              + " at most; a client then reconnects as after any other disconnection. A deployment that"
              + " cannot stream ends each response after the events that are there, with `retry`: the"
              + " milliseconds after which the client reconnects.")
  @ApiResponse(
      responseCode = "200",
      description = "The stream",
      content =
          @Content(mediaType = MediaType.TEXT_EVENT_STREAM, schema = @Schema(type = "string")))
  @Get(headRoute = false, produces = MediaType.TEXT_EVENT_STREAM)
  MutableHttpResponse<Pipe> openStream(
      Viewer viewer,
      @Nullable @Header(EventId.HEADER) @Schema(implementation = String.class, minLength = 24)
          EventId lastEventId) {
    return HttpResponse.ok(streams.open(viewer, lastEventId))
        // A proxy that buffers responses would never forward this one.
        .header("X-Accel-Buffering", "no");
  }
}
