package social.feed.api.edge.pipe;

import io.micronaut.core.type.Argument;
import io.micronaut.core.type.MutableHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.body.ByteBodyFactory;
import io.micronaut.http.body.CloseableByteBody;
import io.micronaut.http.body.ResponseBodyWriter;
import io.micronaut.http.body.TypedMessageBodyWriter;
import jakarta.inject.Singleton;
import java.io.OutputStream;
import reactor.core.publisher.Flux;

/**
 * Writes the pieces of a pipe to a connection. A body of bytes requests the next piece when the
 * connection has accepted the last one: when no more than 64 KB wait for its socket. The
 * framework's own writer of publishers requests 32 pieces ahead and then 24 at a time. That many
 * pieces would be kept for a client that does not read, and a client that reads slowly would seem
 * not to read. The framework's writer of byte streams waits for the client as long as the
 * connection is not idle.
 */
@Singleton
@Produces({MediaType.TEXT_EVENT_STREAM, PipeWriter.LINES})
public final class PipeWriter implements TypedMessageBodyWriter<Pipe>, ResponseBodyWriter<Pipe> {
  /** The media type of JSON lines: one object a line. */
  public static final String LINES = "application/x-ndjson";

  @Override
  public Argument<Pipe> getType() {
    return Argument.of(Pipe.class);
  }

  @Override
  public CloseableByteBody writePiece(
      ByteBodyFactory bodies,
      HttpRequest<?> request,
      HttpResponse<?> response,
      Argument<Pipe> type,
      MediaType mediaType,
      Pipe pipe) {
    return bodies.adapt(Flux.from(pipe.pieces()).map(bodies.readBufferFactory()::adapt));
  }

  @Override
  public void writeTo(
      Argument<Pipe> type,
      MediaType mediaType,
      Pipe pipe,
      MutableHeaders headers,
      OutputStream out) {
    throw new UnsupportedOperationException("A pipe is no faster than its client");
  }
}
