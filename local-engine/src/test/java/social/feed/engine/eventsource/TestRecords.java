package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

/** Creates records whose keys and sequence numbers are numbers, one second apart. */
final class TestRecords {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String ARN = "arn:aws:dynamodb:eu-west-1:1:table/things/stream/1";

  private TestRecords() {}

  static String sequenceNumber(int number) {
    return "%021d".formatted(number);
  }

  static Record sdkRecord(int number) {
    return Record.builder()
        .eventID("event-" + number)
        .eventName(OperationType.INSERT)
        .dynamodb(
            d ->
                d.sequenceNumber(sequenceNumber(number))
                    .sizeBytes(10L)
                    .approximateCreationDateTime(START.plusSeconds(number))
                    .keys(
                        Map.of(
                            "pk", AttributeValue.fromS("p" + number % 3),
                            "sk", AttributeValue.fromS(Integer.toString(number)))))
        .build();
  }

  static List<BatchRecord> batch(int from, int to) {
    LambdaRecords converter = new LambdaRecords(ARN);
    return IntStream.rangeClosed(from, to)
        .mapToObj(number -> new BatchRecord(converter.toLambda(sdkRecord(number))))
        .toList();
  }

  static List<Integer> numbers(List<BatchRecord> batch) {
    return batch.stream().map(record -> number(record.record())).toList();
  }

  static int number(DynamodbStreamRecord record) {
    return Integer.parseInt(sortKey(record));
  }

  static com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue value(
      Map<String, com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue> in,
      String name) {
    return Objects.requireNonNull(in.get(name), name);
  }

  static String sortKey(DynamodbStreamRecord record) {
    return value(record.getDynamodb().getKeys(), "sk").getS();
  }

  static String partitionKey(DynamodbStreamRecord record) {
    return value(record.getDynamodb().getKeys(), "pk").getS();
  }

  static TimeWindowEventResponse failures(@Nullable String... identifiers) {
    TimeWindowEventResponse response = new TimeWindowEventResponse();
    response.setBatchItemFailures(Arrays.stream(identifiers).map(BatchItemFailure::new).toList());
    return response;
  }
}
