package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** Converts records of the streams API to the records that Lambda passes to a function. */
final class LambdaRecords {

  private static final String EXPIRE = "EXPIRE";
  private static final String SERVICE = "Service";
  private static final String DYNAMODB = "dynamodb.amazonaws.com";

  private final String streamArn;

  LambdaRecords(String streamArn) {
    this.streamArn = streamArn;
  }

  DynamodbStreamRecord toLambda(Record record) {
    DynamodbStreamRecord converted = new DynamodbStreamRecord();
    converted.setEventID(record.eventID());
    converted.setEventName(eventName(record));
    converted.setEventVersion(record.eventVersion());
    converted.setEventSource(record.eventSource());
    converted.setEventSourceARN(streamArn);
    converted.setAwsRegion(record.awsRegion());
    converted.setUserIdentity(identity(record));
    converted.setDynamodb(body(record.dynamodb()));
    return converted;
  }

  /**
   * Returns the event name. A removal by time to live is {@code EXPIRE} without an identity in
   * DynamoDB Local, and {@code REMOVE} by the service in Lambda.
   */
  private static String eventName(Record record) {
    return expired(record) ? OperationType.REMOVE.toString() : record.eventNameAsString();
  }

  private static @Nullable Identity identity(Record record) {
    if (expired(record)) {
      return new Identity().withType(SERVICE).withPrincipalId(DYNAMODB);
    }
    var identity = record.userIdentity();
    return identity == null
        ? null
        : new Identity().withType(identity.type()).withPrincipalId(identity.principalId());
  }

  /**
   * A name that the SDK does not decode, together with an old image alone, is a removal as well.
   */
  private static boolean expired(Record record) {
    String name = record.eventNameAsString();
    return EXPIRE.equals(name)
        || ((name == null || record.eventName() == OperationType.UNKNOWN_TO_SDK_VERSION)
            && !record.dynamodb().hasNewImage());
  }

  private static StreamRecord body(
      software.amazon.awssdk.services.dynamodb.model.StreamRecord record) {
    StreamRecord converted = new StreamRecord();
    converted.setApproximateCreationDateTime(date(record.approximateCreationDateTime()));
    converted.setSequenceNumber(record.sequenceNumber());
    converted.setSizeBytes(record.sizeBytes());
    converted.setKeys(attributes(record.keys()));
    if (record.hasNewImage()) {
      converted.setNewImage(attributes(record.newImage()));
    }
    if (record.hasOldImage()) {
      converted.setOldImage(attributes(record.oldImage()));
    }
    StreamViewType view = record.streamViewType();
    if (view != null) {
      converted.setStreamViewType(
          com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamViewType.fromValue(
              view.toString()));
    }
    return converted;
  }

  private static @Nullable Date date(@Nullable Instant instant) {
    return instant == null ? null : Date.from(instant);
  }

  private static Map<String, AttributeValue> attributes(
      Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> attributes) {
    Map<String, AttributeValue> converted = new TreeMap<>();
    attributes.forEach((name, value) -> converted.put(name, attribute(value)));
    return converted;
  }

  private static AttributeValue attribute(
      software.amazon.awssdk.services.dynamodb.model.AttributeValue value) {
    AttributeValue converted = new AttributeValue();
    switch (value.type()) {
      case S -> converted.setS(value.s());
      case N -> converted.setN(value.n());
      case B -> converted.setB(value.b().asByteBuffer());
      case SS -> converted.setSS(value.ss());
      case NS -> converted.setNS(value.ns());
      case BS -> converted.setBS(list(value.bs(), SdkBytes::asByteBuffer));
      case M -> converted.setM(attributes(value.m()));
      case L -> converted.setL(list(value.l(), LambdaRecords::attribute));
      case BOOL -> converted.setBOOL(value.bool());
      case NUL -> converted.setNULL(true);
      // In the stream of DynamoDB Local, an empty map is an attribute without a value.
      case UNKNOWN_TO_SDK_VERSION -> converted.setM(Map.of());
    }
    return converted;
  }

  private static <A, B> List<B> list(List<A> values, Function<A, B> each) {
    return values.stream().map(each).toList();
  }
}
