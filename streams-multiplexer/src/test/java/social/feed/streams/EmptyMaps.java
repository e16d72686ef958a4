package social.feed.streams;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/**
 * Puts empty maps back into stream records: DynamoDB Local's streams tell of them as attributes
 * without any value.
 */
final class EmptyMaps implements ExecutionInterceptor {

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    return context.response() instanceof GetRecordsResponse response
        ? response.toBuilder()
            .records(response.records().stream().map(EmptyMaps::restored).toList())
            .build()
        : context.response();
  }

  private static Record restored(Record record) {
    return record.toBuilder().dynamodb(restored(record.dynamodb())).build();
  }

  private static StreamRecord restored(StreamRecord record) {
    var restored = record.toBuilder();
    if (record.hasNewImage()) {
      restored.newImage(restored(record.newImage()));
    }
    if (record.hasOldImage()) {
      restored.oldImage(restored(record.oldImage()));
    }
    return restored.build();
  }

  private static Map<String, AttributeValue> restored(Map<String, AttributeValue> image) {
    var restored = new HashMap<>(image);
    restored.replaceAll(
        (_, value) ->
            value.type() == AttributeValue.Type.UNKNOWN_TO_SDK_VERSION
                ? AttributeValue.fromM(Map.of())
                : value);
    return restored;
  }
}
