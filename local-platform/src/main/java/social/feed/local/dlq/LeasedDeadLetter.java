package social.feed.local.dlq;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.SqsDeadLetters;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SqsSinkDeadLetters;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A message of the queue, while it is hidden from other consumers.
 *
 * @param message the message as it was received, with all attributes
 * @param deadLetter the dead letter; empty if the message is none
 * @param unpublished the event of a dead letter of a sink; empty for one of the stream
 * @param problem why the message is no dead letter, otherwise empty
 */
public record LeasedDeadLetter(
    Message message,
    Optional<DeadLetter> deadLetter,
    Optional<SinkMessage> unpublished,
    String problem) {
  static LeasedDeadLetter of(Message message) {
    try {
      var unpublished = SqsSinkDeadLetters.read(message);
      return unpublished.isPresent()
          ? new LeasedDeadLetter(message, Optional.empty(), unpublished, "")
          : new LeasedDeadLetter(
              message, Optional.of(SqsDeadLetters.read(message)), Optional.empty(), "");
    } catch (IllegalArgumentException e) {
      return new LeasedDeadLetter(
          message, Optional.empty(), Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Returns the id, which is stable across receives; copies of a dead letter share it. */
  public String id() {
    return deadLetter
        .map(DeadLetter::id)
        .or(() -> unpublished.map(it -> "e-" + hash(it.sink() + it.event().id())))
        .orElseGet(() -> "m-" + hash(message.messageId()));
  }

  private static String hash(String text) {
    return HexFormat.of().toHexDigits(text.hashCode());
  }

  public String handler() {
    return deadLetter
        .map(DeadLetter::handler)
        .or(() -> unpublished.map(it -> "sink " + it.sink()))
        .orElse("-");
  }

  /** Returns entity type and key of the item, or type and entity of the event. */
  public String subject() {
    return deadLetter
        .map(DeadLetter::subject)
        .or(() -> unpublished.map(it -> it.event().type().eventName() + " " + it.event().entity()))
        .orElse("-");
  }

  public String reason() {
    return deadLetter
        .map(DeadLetter::reason)
        .or(() -> unpublished.map(_ -> SqsSinkDeadLetters.reason(message)))
        .orElse(problem);
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
