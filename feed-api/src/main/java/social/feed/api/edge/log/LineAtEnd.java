package social.feed.api.edge.log;

import io.micronaut.http.HttpRequest;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Holds the line of a request back until the body of its response is complete. A function needs it,
 * because a body that fails half-way becomes another response there.
 */
public final class LineAtEnd {
  private static final String ATTRIBUTE = LineAtEnd.class.getName();

  private IntConsumer line = _ -> {};

  /** Creates one for a request. */
  public static LineAtEnd in(HttpRequest<?> request) {
    LineAtEnd end = new LineAtEnd();
    request.setAttribute(ATTRIBUTE, end);
    return end;
  }

  /** Returns that of a request; empty where the line is written when the response begins. */
  public static Optional<LineAtEnd> of(HttpRequest<?> request) {
    return request.getAttribute(ATTRIBUTE, LineAtEnd.class);
  }

  /**
   * Sets the line.
   *
   * @param log writes it with the status of the response
   */
  public void is(IntConsumer log) {
    line = log;
  }

  /** Writes the line, if the request has one. */
  public void write(int status) {
    line.accept(status);
  }
}
