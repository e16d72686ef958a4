package social.feed.function;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;
import social.feed.table.log.JsonLine;

/** Writes lines from the level info on, with the fields of the invocation. */
final class JsonLogger extends LegacyAbstractLogger implements LoggingEventAware {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("SystemOut") // Lambda stores what a function prints
  private static final PrintStream OUT = System.out;

  JsonLogger(String name) {
    this.name = name;
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      @Nullable Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    write(level, MessageFormatter.basicArrayFormat(pattern, arguments), Map.of(), failure);
  }

  @Override
  public void log(LoggingEvent event) {
    var fields = new LinkedHashMap<String, Object>();
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
    }
    var message = MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray());
    write(event.getLevel(), message, fields, event.getThrowable());
  }

  private void write(
      Level level,
      @Nullable String message,
      Map<String, Object> pairs,
      @Nullable Throwable failure) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("time", Instant.now().toString());
    fields.put("level", level.toString());
    fields.put("logger", name.substring(name.lastIndexOf('.') + 1));
    fields.put("message", String.valueOf(message));
    var ofInvocation = MDC.getCopyOfContextMap();
    if (ofInvocation != null) {
      fields.putAll(ofInvocation);
    }
    fields.putAll(pairs);
    if (failure != null) {
      var stack = new StringWriter();
      failure.printStackTrace(new PrintWriter(stack, true));
      fields.put("stack", stack.toString());
    }
    var line = (JsonLine.of(fields) + "\n").getBytes(StandardCharsets.UTF_8);
    // One call, so that the lines of two threads do not mix.
    OUT.write(line, 0, line.length);
    OUT.flush();
  }
}
