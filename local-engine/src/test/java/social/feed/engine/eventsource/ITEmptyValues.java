package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.TestRecords.value;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import social.feed.engine.StreamedTestTable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * Tests that records for Lambda have the type of an empty map, which the stream of DynamoDB Local
 * loses. Every post and account has an empty map before its first count.
 */
class ITEmptyValues {

  private static final AttributeValue EMPTY_MAP = AttributeValue.fromM(Map.of());

  private EventSourceFixture fixture;

  @BeforeEach
  void start() {
    fixture = new EventSourceFixture();
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void emptyMap_inTheStreamOfDynamoDbLocal_hasNoType() {
    put(Map.of("map", EMPTY_MAP));
    var image = written().dynamodb().newImage();
    assertThat(image.get("map"))
        .as("if this fails, the engine is fixed and LambdaRecords needs no special case")
        .extracting(value -> value.type().name())
        .isEqualTo("UNKNOWN_TO_SDK_VERSION");
  }

  @Test
  void emptyMap_inBothImages_isAnEmptyMapForTheFunction() {
    put(Map.of("map", EMPTY_MAP));
    put(Map.of("map", EMPTY_MAP, "more", text("x")));
    var changed = lambda(StreamedTestTable.records(fixture.streams).getLast()).getDynamodb();
    assertThat(value(changed.getOldImage(), "map")).isEqualTo(emptyMap());
    assertThat(value(changed.getNewImage(), "map")).isEqualTo(emptyMap());
  }

  @Test
  void emptyMap_nested_isAnEmptyMap() {
    put(
        Map.of(
            "map", map(Map.of("in", EMPTY_MAP, "next", text("x"))),
            "list", list(List.of(EMPTY_MAP, text("x")))));
    var image = lambda(written()).getDynamodb().getNewImage();
    var map = value(image, "map").getM();
    assertThat(value(map, "in")).isEqualTo(emptyMap());
    assertThat(value(map, "next").getS()).isEqualTo("x");
    assertThat(value(image, "list").getL().getFirst()).isEqualTo(emptyMap());
  }

  @Test
  void otherEmptyValues_keepTheirTypes() {
    put(Map.of("list", list(List.of()), "text", text("")));
    var image = lambda(written()).getDynamodb().getNewImage();
    assertThat(value(image, "list").getL()).isEmpty();
    assertThat(value(image, "list").getM()).isNull();
    assertThat(value(image, "text").getS()).isEmpty();
    assertThat(value(image, "text").getM()).isNull();
  }

  private void put(Map<String, AttributeValue> attributes) {
    var item = new HashMap<>(attributes);
    item.put("pk", text("p"));
    item.put("sk", text("1"));
    fixture.client.putItem(p -> p.tableName(StreamedTestTable.NAME).item(item));
  }

  private Record written() {
    return StreamedTestTable.records(fixture.streams).getFirst();
  }

  private DynamodbStreamRecord lambda(Record record) {
    return new LambdaRecords(fixture.arn).toLambda(record);
  }

  private static com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue
      emptyMap() {
    var value = new com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue();
    value.setM(Map.of());
    return value;
  }

  private static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue map(Map<String, AttributeValue> in) {
    return AttributeValue.fromM(in);
  }

  private static AttributeValue list(List<AttributeValue> in) {
    return AttributeValue.fromL(in);
  }
}
