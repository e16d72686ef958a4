package social.feed.api.live;

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
 * Writes what comes out of a pipe. A body of bytes asks for the next event when the connection has
 * taken the last one: when no more than 64 KB wait for its socket. The framework's own way of
 * writing a publisher asks for 32 events ahead and then for 24 at a time: so many would be kept for
 * a client that does not read, and one that reads slowly would seem not to read at all.
 */
@Singleton
@Produces(MediaType.TEXT_EVENT_STREAM)
final class EventPipeWriter
    implements TypedMessageBodyWriter<EventPipe>, ResponseBodyWriter<EventPipe> {

  @Override
  public Argument<EventPipe> getType() {
    return Argument.of(EventPipe.class);
  }

  @Override
  public CloseableByteBody writePiece(
      ByteBodyFactory bodies,
      HttpRequest<?> request,
      HttpResponse<?> response,
      Argument<EventPipe> type,
      MediaType mediaType,
      EventPipe pipe) {
    return bodies.adapt(Flux.from(pipe.events()).map(bodies.readBufferFactory()::adapt));
  }

  @Override
  public void writeTo(
      Argument<EventPipe> type,
      MediaType mediaType,
      EventPipe pipe,
      MutableHeaders headers,
      OutputStream out) {
    throw new UnsupportedOperationException("A stream of events has no end");
  }
}
