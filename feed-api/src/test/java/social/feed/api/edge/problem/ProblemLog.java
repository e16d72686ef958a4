package social.feed.api.edge.problem;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Records the log lines of problems until it is closed. */
public final class ProblemLog implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Problems.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  public ProblemLog() {
    lines.start();
    logger.addAppender(lines);
  }

  /** Returns the log lines of one response, or of a route. */
  public List<ILoggingEvent> of(String instance) {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getFormattedMessage().contains(instance))
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(lines);
  }
}
