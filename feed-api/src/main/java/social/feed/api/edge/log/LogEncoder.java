package social.feed.api.edge.log;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.RootCauseFirstThrowableProxyConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import social.feed.table.log.JsonLine;

/**
 * Writes a log line as text by the pattern, or as an object of JSON on one line, with its stack
 * trace. The fields of the object are those of the line, and of the request that it belongs to.
 */
public final class LogEncoder extends PatternLayoutEncoder {
  private static volatile boolean json;

  private final ThrowableProxyConverter stack = new RootCauseFirstThrowableProxyConverter();

  /** Sets the format of all lines of the process: {@code text} or {@code json}. */
  public void setFormat(String format) {
    use(format.equals("json"));
  }

  /** Sets the format of all lines of the process. */
  static void use(boolean isJson) {
    json = isJson;
  }

  @Override
  public void start() {
    stack.start();
    super.start();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return json
        ? (JsonLine.of(fields(event)) + "\n").getBytes(StandardCharsets.UTF_8)
        : super.encode(event);
  }

  private Map<String, Object> fields(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    fields.put("level", event.getLevel().toString());
    String logger = event.getLoggerName();
    fields.put("logger", logger.substring(logger.lastIndexOf('.') + 1));
    fields.put("message", event.getFormattedMessage());
    fields.putAll(event.getMDCPropertyMap());
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> fields.put(pair.key, pair.value));
    }
    if (event.getThrowableProxy() != null) {
      fields.put("stack", stack.convert(event));
    }
    return fields;
  }
}
