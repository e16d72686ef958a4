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
 * The stream of DynamoDB Local loses the type of an empty map, which every post and account has
 * before anything of it is counted. Lambda's records have it again.
 */
class ITEmptyValues {

  private static final AttributeValue EMPTY_MAP = AttributeValue.fromM(Map.of());

  private EventSourceFixture stage;

  @BeforeEach
  void start() {
    stage = new EventSourceFixture();
  }

  @AfterEach
  void stop() {
    stage.close();
  }

  @Test
  void emptyMap_hasNoTypeInTheStreamOfDynamoDbLocal() {
    put(Map.of("map", EMPTY_MAP));
    var image = written().dynamodb().newImage();
    assertThat(image.get("map"))
        .as("when this fails, the engine was put right and LambdaRecords need not guess")
        .extracting(value -> value.type().name())
        .isEqualTo("UNKNOWN_TO_SDK_VERSION");
  }

  @Test
  void emptyMap_isAnEmptyMapForTheFunction_inBothImages() {
    put(Map.of("map", EMPTY_MAP));
    put(Map.of("map", EMPTY_MAP, "more", text("x")));
    var changed = lambda(StreamedTestTable.records(stage.streams).getLast()).getDynamodb();
    assertThat(value(changed.getOldImage(), "map")).isEqualTo(emptyMap());
    assertThat(value(changed.getNewImage(), "map")).isEqualTo(emptyMap());
  }

  @Test
  void emptyMap_insideOthers_isAnEmptyMap() {
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
    stage.client.putItem(p -> p.tableName(StreamedTestTable.NAME).item(item));
  }

  private Record written() {
    return StreamedTestTable.records(stage.streams).getFirst();
  }

  private DynamodbStreamRecord lambda(Record record) {
    return new LambdaRecords(stage.arn).toLambda(record);
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
