package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Events and responses in Lambda's own JSON. */
final class LambdaJson {
  private LambdaJson() {}

  static String write(APIGatewayV2HTTPEvent event) {
    return json(of(APIGatewayV2HTTPEvent.class), event);
  }

  static APIGatewayV2HTTPEvent readEvent(String json) {
    return of(APIGatewayV2HTTPEvent.class).fromJson(json);
  }

  static String write(APIGatewayV2HTTPResponse response) {
    return json(of(APIGatewayV2HTTPResponse.class), response);
  }

  static APIGatewayV2HTTPResponse readResponse(String json) {
    return of(APIGatewayV2HTTPResponse.class).fromJson(json);
  }

  private static <T> String json(PojoSerializer<T> serializer, T value) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    serializer.toJson(value, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  private static <T> PojoSerializer<T> of(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, LambdaJson.class.getClassLoader());
  }
}
