package social.feed.ctl.dlq;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetterMessage;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A message of the queue while nobody else gets it.
 *
 * @param message as it was received, with all attributes
 * @param letter empty when somebody else put the message there
 * @param problem what is wrong with a message that is no letter, otherwise empty
 */
public record LeasedDeadLetter(Message message, Optional<DeadLetter> letter, String problem) {
  static LeasedDeadLetter of(Message message) {
    try {
      return new LeasedDeadLetter(message, Optional.of(DeadLetterMessage.read(message)), "");
    } catch (IllegalArgumentException e) {
      return new LeasedDeadLetter(message, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Stays the same however often the message is received; copies of a letter share it. */
  public String id() {
    return letter
        .map(DeadLetter::id)
        .orElseGet(() -> "m-" + HexFormat.of().toHexDigits(message.messageId().hashCode()));
  }

  public String handler() {
    return letter.map(DeadLetter::handler).orElse("-");
  }

  /** Entity type and key of the item. */
  public String subject() {
    return letter.map(DeadLetter::subject).orElse("-");
  }

  public String reason() {
    return letter.map(DeadLetter::reason).orElse(problem);
  }

  /** When it was sent. */
  public Instant sentAt() {
    return Instant.ofEpochMilli(number(MessageSystemAttributeName.SENT_TIMESTAMP));
  }

  /** How often it was received, this time included. */
  public long received() {
    return number(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
  }

  /** In a line, without the reason. */
  public String line() {
    return String.join("  ", List.of(id(), handler(), subject()));
  }

  private long number(MessageSystemAttributeName name) {
    return Long.parseLong(message.attributes().getOrDefault(name, "0"));
  }
}
