package social.feed.ctl.dlq;

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
 * A queue of dead letters. SQS cannot show a message without handing it out, so letters are taken,
 * which hides them from others for a short while, and those that are not deleted are given back at
 * once.
 */
public final class DeadLetterQueue implements AutoCloseable {
  private static final int BATCH = 10;

  private final SqsClient client;
  private final String queueUrl;
  private final int most;
  private final Duration patience;

  /**
   * @param client becomes this queue's, and is closed with it
   * @param most so many letters are taken at a time
   * @param patience how long to ask a queue that seems empty; the service needs a second to ask all
   *     its servers
   */
  public DeadLetterQueue(SqsClient client, String queueUrl, int most, Duration patience) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.most = most;
    this.patience = patience;
  }

  /**
   * Takes all letters, oldest first, or as many as are allowed. One request for ten letters.
   *
   * @param hidden how long nobody else gets them when this process dies before it gives them back
   */
  public LeasedMessages take(Duration hidden) {
    var busy = count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
    // The service may hand a message out twice; the receipt that counts is the last one.
    Map<String, Message> taken = new LinkedHashMap<>();
    boolean more = true;
    while (more && taken.size() < most) {
      var page = receive(Math.min(BATCH, most - taken.size()), hidden);
      page.forEach(message -> taken.put(message.messageId(), message));
      more = !page.isEmpty();
    }
    var letters = new ArrayList<>(taken.values().stream().map(LeasedDeadLetter::of).toList());
    letters.sort(
        Comparator.comparing(LeasedDeadLetter::sentAt).thenComparing(LeasedDeadLetter::id));
    var left = more ? count(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES) : 0;
    return new LeasedMessages(client, queueUrl, letters, left, busy);
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
