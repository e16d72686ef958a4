package social.feed.local.dlq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;

/** Messages that were received and are hidden from other consumers. Closing releases the rest. */
public final class LeasedMessages implements AutoCloseable {
  private static final int BATCH = 10;

  private final SqsClient client;
  private final String queueUrl;
  private final List<LeasedDeadLetter> deadLetters;
  private final Set<LeasedDeadLetter> left;
  private final long more;
  private final long busy;
  private final boolean isCutShort;

  LeasedMessages(
      SqsClient client,
      String queueUrl,
      List<LeasedDeadLetter> deadLetters,
      long more,
      long busy,
      boolean isCutShort) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.deadLetters = List.copyOf(deadLetters);
    this.left = new LinkedHashSet<>(deadLetters);
    this.more = more;
    this.busy = busy;
    this.isCutShort = isCutShort;
  }

  /** Returns all received messages, including those deleted since. */
  public List<LeasedDeadLetter> deadLetters() {
    return deadLetters;
  }

  /** Returns about how many messages exceed the most that are received at a time. */
  public long more() {
    return more;
  }

  /** Returns about how many messages are hidden because another consumer received them. */
  public long busy() {
    return busy;
  }

  /** Returns whether the lease of the first messages ended before all were received. */
  public boolean isCutShort() {
    return isCutShort;
  }

  /** Deletes a message from the queue. */
  public void delete(LeasedDeadLetter deadLetter) {
    client.deleteMessage(
        d -> d.queueUrl(queueUrl).receiptHandle(deadLetter.message().receiptHandle()));
    left.remove(deadLetter);
  }

  /** Releases the messages that were not deleted. */
  @Override
  public void close() {
    var held = List.copyOf(left);
    for (int from = 0; from < held.size(); from += BATCH) {
      release(held.subList(from, Math.min(held.size(), from + BATCH)));
    }
    left.clear();
  }

  /** Releases messages. One that cannot be released reappears when its lease ends. */
  private void release(List<LeasedDeadLetter> batch) {
    var entries =
        IntStream.range(0, batch.size())
            .mapToObj(
                i ->
                    ChangeMessageVisibilityBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .receiptHandle(batch.get(i).message().receiptHandle())
                        .visibilityTimeout(0)
                        .build())
            .toList();
    client.changeMessageVisibilityBatch(c -> c.queueUrl(queueUrl).entries(entries));
  }
}
