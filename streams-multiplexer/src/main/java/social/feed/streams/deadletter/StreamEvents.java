package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Converts stream events to Lambda's own JSON and back. */
public final class StreamEvents {
  private StreamEvents() {}

  /** Returns the JSON of an event of some records. */
  public static String write(List<DynamodbStreamRecord> records) {
    var event = new DynamodbEvent();
    event.setRecords(records);
    var json = new ByteArrayOutputStream();
    json().toJson(event, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  /**
   * Returns the records of an event.
   *
   * @throws IllegalArgumentException with a message for people, when the JSON is no such event
   */
  public static List<DynamodbStreamRecord> read(String json) {
    var records = parse(json).getRecords();
    if (records == null || records.stream().anyMatch(record -> record.getDynamodb() == null)) {
      throw new IllegalArgumentException("There are no records of a stream in it");
    }
    return records;
  }

  private static DynamodbEvent parse(String json) {
    try {
      var event = json().fromJson(json);
      return event == null ? new DynamodbEvent() : event;
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("It is not a stream event: " + e.getMessage(), e);
    }
  }

  private static PojoSerializer<DynamodbEvent> json() {
    return LambdaEventSerializers.serializerFor(
        DynamodbEvent.class, StreamEvents.class.getClassLoader());
  }
}
