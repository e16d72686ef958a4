package social.feed.local.dlq;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A message of the queue, while it is hidden from other consumers.
 *
 * @param message the message as it was received, with all attributes
 * @param deadLetter the dead letter; empty if the message is none
 * @param problem why the message is no dead letter, otherwise empty
 */
public record LeasedDeadLetter(Message message, Optional<DeadLetter> deadLetter, String problem) {
  static LeasedDeadLetter of(Message message) {
    try {
      return new LeasedDeadLetter(message, Optional.of(SqsDeadLetters.read(message)), "");
    } catch (IllegalArgumentException e) {
      return new LeasedDeadLetter(message, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Returns the id, which is stable across receives; copies of a dead letter share it. */
  public String id() {
    return deadLetter
        .map(DeadLetter::id)
        .orElseGet(() -> "m-" + HexFormat.of().toHexDigits(message.messageId().hashCode()));
  }

  public String handler() {
    return deadLetter.map(DeadLetter::handler).orElse("-");
  }

  /** Returns entity type and key of the item. */
  public String subject() {
    return deadLetter.map(DeadLetter::subject).orElse("-");
  }

  public String reason() {
    return deadLetter.map(DeadLetter::reason).orElse(problem);
  }

  /** Returns the time at which it was sent. */
  public Instant sentAt() {
    return Instant.ofEpochMilli(number(MessageSystemAttributeName.SENT_TIMESTAMP));
  }

  /** Returns how often it was received, including this time. */
  public long received() {
    return number(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
  }

  /** Returns id, handler and item in a line, without the reason. */
  public String line() {
    return String.join("  ", List.of(id(), handler(), subject()));
  }

  private long number(MessageSystemAttributeName name) {
    return Long.parseLong(message.attributes().getOrDefault(name, "0"));
  }
}
