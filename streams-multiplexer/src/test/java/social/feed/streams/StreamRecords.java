package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.declaration.BaseTable;
import social.feed.table.kernel.schema.RowCodec;
import social.feed.table.row.Row;

/** Stream records as Lambda delivers them. */
final class StreamRecords {
  private StreamRecords() {}

  static DynamodbStreamRecord inserted(int number, Row row) {
    return of(number, "INSERT", null, image(row));
  }

  static DynamodbStreamRecord modified(int number, Row before, Row after) {
    return of(number, "MODIFY", image(before), image(after));
  }

  static DynamodbStreamRecord removed(int number, Row row) {
    return of(number, "REMOVE", image(row), null);
  }

  static DynamodbStreamRecord expired(int number, Row row) {
    var record = removed(number, row);
    record.setUserIdentity(
        new Identity().withType("Service").withPrincipalId("dynamodb.amazonaws.com"));
    return record;
  }

  static DynamodbStreamRecord of(
      int number,
      String event,
      @Nullable Map<String, AttributeValue> before,
      @Nullable Map<String, AttributeValue> after) {
    var images = new StreamRecord();
    images.setSequenceNumber(sequence(number));
    images.setKeys(keys(after == null ? before : after));
    images.setOldImage(before);
    images.setNewImage(after);
    var record = new DynamodbStreamRecord();
    record.setEventName(event);
    record.setDynamodb(images);
    return record;
  }

  private static @Nullable Map<String, AttributeValue> keys(
      @Nullable Map<String, AttributeValue> image) {
    if (image == null) {
      return null;
    }
    var keys = new HashMap<>(image);
    keys.keySet().retainAll(Set.of(BaseTable.PK, BaseTable.SK));
    return keys;
  }

  static String sequence(int number) {
    return "100000000000000000%03d".formatted(number);
  }

  static AttributeValue text(String text) {
    return attribute(software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS(text));
  }

  static Map<String, AttributeValue> image(Row row) {
    return attributes(RowCodec.encode(row));
  }

  static Map<String, AttributeValue> attributes(
      Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item) {
    var image = new HashMap<String, AttributeValue>();
    item.forEach((name, value) -> image.put(name, attribute(value)));
    return image;
  }

  private static AttributeValue attribute(
      software.amazon.awssdk.services.dynamodb.model.AttributeValue value) {
    var attribute = new AttributeValue();
    switch (value.type()) {
      case S -> attribute.setS(value.s());
      case N -> attribute.setN(value.n());
      case BOOL -> attribute.setBOOL(value.bool());
      case M -> attribute.setM(attributes(value.m()));
      case L -> attribute.setL(value.l().stream().map(StreamRecords::attribute).toList());
      default -> throw new IllegalArgumentException("No row holds " + value);
    }
    return attribute;
  }
}
