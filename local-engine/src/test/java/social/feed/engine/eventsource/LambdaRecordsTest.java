package social.feed.engine.eventsource;

import static org.assertj.core.api.Assertions.assertThat;
import static social.feed.engine.eventsource.TestRecords.value;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.models.TimeWindow;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

class LambdaRecordsTest {

  private static final Map<String, AttributeValue> ALL_TYPES =
      Map.of(
          "s", AttributeValue.fromS("text"),
          "n", AttributeValue.fromN("12345678901234567890"),
          "b", AttributeValue.fromB(bytes("ä")),
          "ss", AttributeValue.fromSs(List.of("a", "b")),
          "ns", AttributeValue.fromNs(List.of("1", "2")),
          "bs", AttributeValue.fromBs(List.of(bytes("x"), bytes("y"))),
          "m", AttributeValue.fromM(Map.of("in", AttributeValue.fromL(List.of()))),
          "l", AttributeValue.fromL(List.of(AttributeValue.fromS("a"), AttributeValue.fromN("1"))),
          "bool", AttributeValue.fromBool(false),
          "null", AttributeValue.fromNul(true));

  private final LambdaRecords records = new LambdaRecords(TestRecords.ARN);

  @Test
  void toLambda_convertsEveryField() {
    DynamodbStreamRecord record = records.toLambda(modified());

    assertThat(record.getEventID()).isEqualTo("e1");
    assertThat(record.getEventName()).isEqualTo("MODIFY");
    assertThat(record.getEventSource()).isEqualTo("aws:dynamodb");
    assertThat(record.getEventSourceARN()).isEqualTo(TestRecords.ARN);
    assertThat(record.getAwsRegion()).isEqualTo("eu-west-1");
    assertThat(record.getUserIdentity()).isNull();
    var body = record.getDynamodb();
    assertThat(body.getSequenceNumber()).isEqualTo("123456789012345678901");
    assertThat(body.getSizeBytes()).isEqualTo(26);
    assertThat(body.getApproximateCreationDateTime())
        .isEqualTo(Date.from(Instant.parse("2026-01-01T10:00:00Z")));
    assertThat(body.getStreamViewType()).isEqualTo("NEW_AND_OLD_IMAGES");
    assertThat(value(body.getKeys(), "pk").getS()).isEqualTo("k");
    assertThat(body.getOldImage()).containsOnlyKeys("pk");
    assertThat(body.getNewImage()).containsOnlyKeys(ALL_TYPES.keySet());
  }

  @Test
  void toLambda_everyType_survivesLambdasJson() {
    DynamodbTimeWindowEvent event = new DynamodbTimeWindowEvent();
    event.setRecords(List.of(records.toLambda(modified())));
    event.setShardId("shard-1");
    event.setEventSourceArn(TestRecords.ARN);
    event.setState(Map.of("count", "1"));
    event.setWindow(new TimeWindow("2026-01-01T10:00:00Z", "2026-01-01T10:00:10Z"));
    event.setIsFinalInvokeForWindow(false);
    event.setIsWindowTerminatedEarly(true);

    DynamodbTimeWindowEvent back = throughJson(event);

    assertThat(back).isEqualTo(event);
    var image = back.getRecords().getFirst().getDynamodb().getNewImage();
    assertThat(value(image, "b").getB()).isEqualTo(bytes("ä").asByteBuffer());
    assertThat(value(image, "bs").getBS()).hasSize(2);
    assertThat(value(image, "l").getL().get(1).getN()).isEqualTo("1");
    assertThat(value(image, "bool").getBOOL()).isFalse();
    assertThat(value(image, "null").getNULL()).isTrue();
    assertThat(value(value(image, "m").getM(), "in").getL()).isEmpty();
  }

  @Test
  void toLambda_removedByTheService_keepsItsIdentity() {
    Record record =
        modified().toBuilder()
            .eventName(OperationType.REMOVE)
            .userIdentity(u -> u.type("Service").principalId("dynamodb.amazonaws.com"))
            .build();

    assertThat(records.toLambda(record).getUserIdentity()).isEqualTo(service());
  }

  @Test
  void toLambda_expiredInDynamoDbLocal_isARemovalByTheService() {
    Record gone =
        Record.builder()
            .eventName("EXPIRE")
            .dynamodb(
                d ->
                    d.sequenceNumber("1")
                        .keys(Map.of("pk", AttributeValue.fromS("k")))
                        .oldImage(Map.of("pk", AttributeValue.fromS("k"))))
            .build();

    DynamodbStreamRecord record = records.toLambda(gone);

    assertThat(record.getEventName()).isEqualTo("REMOVE");
    assertThat(record.getUserIdentity()).isEqualTo(service());
    assertThat(record.getDynamodb().getNewImage()).isNull();
  }

  @Test
  void toLambda_removedByAUser_hasNoIdentity() {
    DynamodbStreamRecord record =
        records.toLambda(modified().toBuilder().eventName(OperationType.REMOVE).build());

    assertThat(record.getEventName()).isEqualTo("REMOVE");
    assertThat(record.getUserIdentity()).isNull();
  }

  private static Record modified() {
    return Record.builder()
        .eventID("e1")
        .eventName(OperationType.MODIFY)
        .eventVersion("1.1")
        .eventSource("aws:dynamodb")
        .awsRegion("eu-west-1")
        .dynamodb(
            d ->
                d.sequenceNumber("123456789012345678901")
                    .sizeBytes(26L)
                    .approximateCreationDateTime(Instant.parse("2026-01-01T10:00:00Z"))
                    .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)
                    .keys(Map.of("pk", AttributeValue.fromS("k")))
                    .oldImage(Map.of("pk", AttributeValue.fromS("k")))
                    .newImage(ALL_TYPES))
        .build();
  }

  private static Identity service() {
    return new Identity().withType("Service").withPrincipalId("dynamodb.amazonaws.com");
  }

  private static SdkBytes bytes(String text) {
    return SdkBytes.fromString(text, StandardCharsets.UTF_8);
  }

  private static DynamodbTimeWindowEvent throughJson(DynamodbTimeWindowEvent event) {
    PojoSerializer<DynamodbTimeWindowEvent> json =
        LambdaEventSerializers.serializerFor(
            DynamodbTimeWindowEvent.class, DynamodbTimeWindowEvent.class.getClassLoader());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    json.toJson(event, out);
    return json.fromJson(new ByteArrayInputStream(out.toByteArray()));
  }
}
