package social.feed.api.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The gateway's side of events and responses, in Lambda's own JSON. */
final class LambdaJson {
  private LambdaJson() {}

  static String write(APIGatewayV2HTTPEvent event) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    of(APIGatewayV2HTTPEvent.class).toJson(event, json);
    return json.toString(StandardCharsets.UTF_8);
  }

  static APIGatewayV2HTTPResponse readResponse(String json) {
    return of(APIGatewayV2HTTPResponse.class).fromJson(json);
  }

  private static <T> PojoSerializer<T> of(Class<T> type) {
    return LambdaEventSerializers.serializerFor(type, LambdaJson.class.getClassLoader());
  }
}
