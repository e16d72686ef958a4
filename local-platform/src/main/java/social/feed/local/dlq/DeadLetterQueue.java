package social.feed.local.dlq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * The dead-letter queue. SQS cannot show a message without a receive, which hides the message from
 * other consumers for a short while. Messages that are not deleted are released at once.
 */
public final class DeadLetterQueue implements AutoCloseable {
  private static final int BATCH = 10;

  private final SqsClient client;
  private final String queueUrl;
  private final int most;
  private final Duration patience;

  /**
   * @param client the client, which is closed together with this queue
   * @param most the most messages that are received at a time
   * @param patience how long to wait for messages of a queue that seems empty; the service needs a
   *     second to query all its servers
   */
  public DeadLetterQueue(SqsClient client, String queueUrl, int most, Duration patience) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.most = most;
    this.patience = patience;
  }

  /**
   * Receives all dead letters, oldest first, or as many as are allowed. One request for ten
   * messages. Ends before that if only messages come that were received before: they are visible
   * again, so their lease is too short for so many.
   *
   * @param hidden how long the messages stay hidden if this process dies before it releases them
   */
  public LeasedMessages receive(Duration hidden) {
    var busy = count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    // The service may deliver a message twice; only the last receipt is valid.
    Map<String, Message> received = new LinkedHashMap<>();
    boolean more = true;
    boolean isCutShort = false;
    while (more && !isCutShort && received.size() < most) {
      int before = received.size();
      var page = receive(Math.min(BATCH, most - before), hidden);
      page.forEach(message -> received.put(message.messageId(), message));
      more = !page.isEmpty();
      isCutShort = more && received.size() == before;
    }
    var deadLetters =
        new ArrayList<>(received.values().stream().map(LeasedDeadLetter::of).toList());
    deadLetters.sort(
        Comparator.comparing(LeasedDeadLetter::sentAt).thenComparing(LeasedDeadLetter::id));
    var left = more && !isCutShort ? count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES) : 0;
    return new LeasedMessages(client, queueUrl, deadLetters, left, busy, isCutShort);
  }

  private List<Message> receive(int number, Duration hidden) {
    return client
        .receiveMessage(
            r ->
                r.queueUrl(queueUrl)
                    .maxNumberOfMessages(number)
                    .waitTimeSeconds((int) patience.toSeconds())
                    .visibilityTimeout((int) hidden.toSeconds())
                    .messageAttributeNames("All")
                    .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
        .messages();
  }

  private long count(QueueAttributeName which) {
    var counts = client.getQueueAttributes(g -> g.queueUrl(queueUrl).attributeNames(which));
    return Long.parseLong(counts.attributes().getOrDefault(which, "0"));
  }

  @Override
  public void close() {
    client.close();
  }
}
