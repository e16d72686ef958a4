package social.feed.engine.eventsource;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the errors that a class logs while an action runs. */
final class LoggedErrors extends Handler {
  private final List<String> errors = new ArrayList<>();

  private LoggedErrors() {}

  static List<String> of(Class<?> source, Runnable action) {
    var logger = Logger.getLogger(source.getName());
    var errors = new LoggedErrors();
    logger.addHandler(errors);
    try {
      action.run();
    } finally {
      logger.removeHandler(errors);
    }
    return errors.errors;
  }

  @Override
  public void publish(LogRecord entry) {
    if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
      errors.add(MessageFormat.format(entry.getMessage(), entry.getParameters()));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
