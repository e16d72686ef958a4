package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.models.dynamodb.Identity;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

/**
 * The event name and identity of a record, with DynamoDB Local's removals by time to live put
 * right: there they come as {@code EXPIRE} without an identity, and Lambda has {@code REMOVE} by
 * the service.
 */
final class EventNames {

  private static final String EXPIRE = "EXPIRE";
  private static final String SERVICE = "Service";
  private static final String DYNAMODB = "dynamodb.amazonaws.com";

  private EventNames() {}

  static String of(Record record) {
    return expired(record) ? OperationType.REMOVE.toString() : record.eventNameAsString();
  }

  static @Nullable Identity identity(Record record) {
    if (expired(record)) {
      return new Identity().withType(SERVICE).withPrincipalId(DYNAMODB);
    }
    var identity = record.userIdentity();
    return identity == null
        ? null
        : new Identity().withType(identity.type()).withPrincipalId(identity.principalId());
  }

  /**
   * A name that the SDK does not decode follows from the images: an old image alone is a removal.
   */
  private static boolean expired(Record record) {
    String name = record.eventNameAsString();
    return EXPIRE.equals(name)
        || ((name == null || record.eventName() == OperationType.UNKNOWN_TO_SDK_VERSION)
            && !record.dynamodb().hasNewImage());
  }
}
