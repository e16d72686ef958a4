package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import software.amazon.event.ruler.Machine;

/** A pattern in AWS's own engine for patterns, and records in Lambda's own JSON. */
final class EventPattern {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String text;
  private final Machine engine = Machine.builder().build();

  EventPattern(Map<String, Object> pattern) {
    try {
      this.text = JSON.writeValueAsString(pattern);
      engine.addRule("pattern", text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return text;
  }

  /** Whether a record passes. */
  boolean matches(DynamodbStreamRecord record) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(record));
    try {
      var json = JSON.readTree(Events.write(event)).required("Records").required(0);
      return !engine.rulesForJSONEvent(json).isEmpty();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
