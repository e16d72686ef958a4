package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Events and responses in Lambda's own JSON. */
final class Events {
  private Events() {}

  static DynamodbTimeWindowEvent read(String json) {
    return of(DynamodbTimeWindowEvent.class).fromJson(json);
  }

  static String write(DynamodbTimeWindowEvent event) {
    return json(of(DynamodbTimeWindowEvent.class), event);
  }

  /** A response after serialization by Lambda. */
  static TimeWindowEventResponse returned(TimeWindowEventResponse response) {
    return response(json(of(TimeWindowEventResponse.class), response));
  }

  static TimeWindowEventResponse response(String json) {
    return of(TimeWindowEventResponse.class).fromJson(json);
  }

  private static <T> String json(PojoSerializer<T> serializer, T value) {
    var json = new ByteArrayOutputStream();
    serializer.toJson(value, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  private static <T> PojoSerializer<T> of(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, Events.class.getClassLoader());
  }
}
