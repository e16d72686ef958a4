package social.feed.function;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Logs through SLF4J: each line is an object of JSON on standard output, which Lambda stores. */
public final class JsonLogging implements SLF4JServiceProvider {
  private static final String VERSION = "2.0.99";

  private final ILoggerFactory loggers = JsonLogger::new;
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter fields = new BasicMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return loggers;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return fields;
  }

  @Override
  public String getRequestedApiVersion() {
    return VERSION;
  }

  @Override
  public void initialize() {
    // All parts are final.
  }
}
