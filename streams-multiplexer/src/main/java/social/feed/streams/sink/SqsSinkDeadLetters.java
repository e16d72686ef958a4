package social.feed.streams.sink;

import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Sends them to the queue of the other dead letters. The body is the message as it was; the
 * attributes are those of a dead letter, with the name of the sink.
 */
public final class SqsSinkDeadLetters implements SinkDeadLetters {
  private static final String SINK = "sink";
  private static final String MOVED = "It was received too often without an end";
  private static final int MAX_REASON = 1_000;

  private final SqsClient client;
  private final String url;

  public SqsSinkDeadLetters(SqsClient client, String url) {
    this.client = client;
    this.url = url;
  }

  @Override
  public void send(SinkMessage message, String reason) {
    client.sendMessage(
        m ->
            m.queueUrl(url)
                .messageBody(message.body())
                .messageAttributes(
                    Map.of(
                        SINK,
                        text(message.sink()),
                        "handler",
                        text(SINK + " " + message.sink()),
                        "reason",
                        text(reason))));
  }

  /**
   * Stores a message that cannot be read, as it is. So does a queue on AWS with what it moves. A
   * version that can read it may redrive it.
   */
  void sendUnread(String body) {
    client.sendMessage(m -> m.queueUrl(url).messageBody(body));
  }

  /**
   * Returns the message of a dead letter; empty for a dead letter of another kind. One that the
   * queue itself has moved, after too many receives, is as it was sent, without attributes.
   *
   * @throws IllegalArgumentException if this version cannot read the message; its message is for
   *     people
   */
  public static Optional<SinkMessage> read(Message deadLetter) {
    if (deadLetter.messageAttributes().containsKey(SINK)) {
      return Optional.of(SinkMessage.read(deadLetter.body()));
    }
    return deadLetter.hasMessageAttributes() || !SinkMessage.isOne(deadLetter.body())
        ? Optional.empty()
        : Optional.of(SinkMessage.read(deadLetter.body()));
  }

  /** Returns the reason of a dead letter. */
  public static String reason(Message deadLetter) {
    var reason = deadLetter.messageAttributes().get("reason");
    return reason == null ? MOVED : reason.stringValue();
  }

  /** The characters that a message may hold are those of a line. */
  private static MessageAttributeValue text(String value) {
    var line = value.replaceAll("[^\\x20-\\x7e]", "?");
    var cut = line.substring(0, Math.min(line.length(), MAX_REASON));
    return MessageAttributeValue.builder()
        .dataType("String")
        .stringValue(cut.isBlank() ? "-" : cut)
        .build();
  }
}
