package social.feed.streams.deadletter;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Dead letters as messages of a queue: the body is a stream event of one record in Lambda's own
 * JSON, so that it can be given to the function as it is; handler and reason are message
 * attributes.
 */
public final class SqsDeadLetters implements DeadLetters {
  static final String HANDLER = "handler";
  static final String REASON = "reason";

  /** A message attribute of the queue counts into its 256 KB, and an empty one is refused. */
  private static final int MAX_REASON = 1_000;

  private final SqsClient queue;
  private final String queueUrl;

  public SqsDeadLetters(SqsClient queue, String queueUrl) {
    this.queue = queue;
    this.queueUrl = queueUrl;
  }

  @Override
  public void send(DeadLetter letter) {
    queue.sendMessage(
        m ->
            m.queueUrl(queueUrl)
                .messageBody(json(letter))
                .messageAttributes(
                    Map.of(HANDLER, text(letter.handler()), REASON, text(letter.reason()))));
  }

  private static String json(DeadLetter letter) {
    var event = new DynamodbEvent();
    event.setRecords(List.of(letter.record()));
    var json = new ByteArrayOutputStream();
    LambdaEventSerializers.serializerFor(DynamodbEvent.class, SqsDeadLetters.class.getClassLoader())
        .toJson(event, json);
    return sendable(json.toString(StandardCharsets.UTF_8), "\\u%04x");
  }

  /** A key may hold any character, a message only those that XML has; others are written out. */
  private static String sendable(String text, String other) {
    var sendable = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (isAllowed(point)) {
                sendable.appendCodePoint(point);
              } else {
                sendable.append(other.formatted(point));
              }
            });
    return sendable.toString();
  }

  private static boolean isAllowed(int point) {
    return point == '\t'
        || point == '\n'
        || point == '\r'
        || (point >= 0x20 && point <= 0xD7FF)
        || (point >= 0xE000 && point <= 0xFFFD)
        || point >= 0x10000;
  }

  private static MessageAttributeValue text(String value) {
    var sendable = sendable(value, "?");
    var cut = sendable.substring(0, Math.min(sendable.length(), MAX_REASON));
    return MessageAttributeValue.builder()
        .dataType("String")
        .stringValue(cut.isBlank() ? "-" : cut)
        .build();
  }
}
