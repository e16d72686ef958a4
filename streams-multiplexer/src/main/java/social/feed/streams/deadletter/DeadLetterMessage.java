package social.feed.streams.deadletter;

import java.util.Optional;
import software.amazon.awssdk.services.sqs.model.Message;

/** Decodes the messages that {@link SqsDeadLetters} sends. */
public final class DeadLetterMessage {
  private DeadLetterMessage() {}

  /**
   * Returns the dead letter of a message that was received with all its attributes.
   *
   * @throws IllegalArgumentException with a message for people, when the message is no dead letter
   */
  public static DeadLetter read(Message message) {
    var handler =
        attribute(message, SqsDeadLetters.HANDLER)
            .orElseThrow(() -> new IllegalArgumentException("The message names no handler"));
    return new DeadLetter(
        handler,
        attribute(message, SqsDeadLetters.REASON).orElse("-"),
        attribute(message, SqsDeadLetters.SHARD),
        DeadLetterBody.record(message.body()),
        attribute(message, SqsDeadLetters.IMAGES).isPresent());
  }

  private static Optional<String> attribute(Message message, String name) {
    return Optional.ofNullable(message.messageAttributes().get(name))
        .map(value -> value.stringValue());
  }
}
