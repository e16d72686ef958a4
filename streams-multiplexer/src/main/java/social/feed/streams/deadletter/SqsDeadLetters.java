package social.feed.streams.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Sends dead letters as messages of a queue, and reads them. The body is a stream event of one
 * record in Lambda's own JSON, so the function can be invoked with it unchanged. Handler, reason
 * and, if known, the shard are message attributes. If both images are too large for a message, they
 * are truncated to the key, and an attribute says so: a dead letter that cannot be sent would block
 * its shard.
 */
public final class SqsDeadLetters implements DeadLetters {
  private static final String HANDLER = "handler";
  private static final String REASON = "reason";
  private static final String SHARD = "shard";
  private static final String IMAGES = "images";

  /** The value of {@link #IMAGES} when they are truncated. */
  private static final String CUT = "keys only";

  /** A message attribute counts towards the 256 KB of a message, and an empty one is rejected. */
  private static final int MAX_REASON = 1_000;

  private static final int MAX_BYTES = 256 * 1_024;

  private final SqsClient queue;
  private final String queueUrl;

  public SqsDeadLetters(SqsClient queue, String queueUrl) {
    this.queue = queue;
    this.queueUrl = queueUrl;
  }

  @Override
  public void send(DeadLetter deadLetter) {
    var attributes = new HashMap<String, MessageAttributeValue>();
    attributes.put(HANDLER, text(deadLetter.handler()));
    attributes.put(REASON, text(deadLetter.reason()));
    deadLetter.shardId().ifPresent(shard -> attributes.put(SHARD, text(shard)));
    var body = DeadLetterBody.of(deadLetter.record());
    if (deadLetter.isTruncated() || size(body, attributes) > MAX_BYTES) {
      attributes.put(IMAGES, text(CUT));
      send(DeadLetterBody.of(TruncatedImages.of(deadLetter.record())), attributes);
    } else {
      send(body, attributes);
    }
  }

  /**
   * Returns the dead letter of a message that was received with all its attributes.
   *
   * @throws IllegalArgumentException with a message for people, when the message is no dead letter
   */
  public static DeadLetter read(Message message) {
    var handler =
        attribute(message, HANDLER)
            .orElseThrow(() -> new IllegalArgumentException("The message names no handler"));
    return new DeadLetter(
        handler,
        attribute(message, REASON).orElse("-"),
        attribute(message, SHARD),
        DeadLetterBody.record(message.body()),
        attribute(message, IMAGES).isPresent());
  }

  private static Optional<String> attribute(Message message, String name) {
    return Optional.ofNullable(message.messageAttributes().get(name))
        .map(value -> value.stringValue());
  }

  private void send(String body, Map<String, MessageAttributeValue> attributes) {
    queue.sendMessage(m -> m.queueUrl(queueUrl).messageBody(body).messageAttributes(attributes));
  }

  /** The size as the queue counts it: body, names, types and values. */
  private static long size(String body, Map<String, MessageAttributeValue> attributes) {
    long size = bytes(body);
    for (var attribute : attributes.entrySet()) {
      var value = attribute.getValue();
      size += bytes(attribute.getKey()) + bytes(value.dataType()) + bytes(value.stringValue());
    }
    return size;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static MessageAttributeValue text(String value) {
    // First cut, since that may leave half of a character, which no message can hold.
    var cut =
        DeadLetterBody.sendable(value.substring(0, Math.min(value.length(), MAX_REASON)), "?");
    return MessageAttributeValue.builder()
        .dataType("String")
        .stringValue(cut.isBlank() ? "-" : cut)
        .build();
  }
}
