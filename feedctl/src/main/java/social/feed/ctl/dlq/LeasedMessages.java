package social.feed.ctl.dlq;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;

/** Letters that were taken out of the queue. Closed, it gives back those that are left. */
public final class LeasedMessages implements AutoCloseable {
  private static final int BATCH = 10;

  private final SqsClient client;
  private final String queueUrl;
  private final List<LeasedDeadLetter> letters;
  private final Set<LeasedDeadLetter> left;
  private final long more;
  private final long busy;

  LeasedMessages(
      SqsClient client, String queueUrl, List<LeasedDeadLetter> letters, long more, long busy) {
    this.client = client;
    this.queueUrl = queueUrl;
    this.letters = List.copyOf(letters);
    this.left = new LinkedHashSet<>(letters);
    this.more = more;
    this.busy = busy;
  }

  /** All that were taken, also those deleted since. */
  public List<LeasedDeadLetter> letters() {
    return letters;
  }

  /** About how many more there are than may be taken at a time. */
  public long more() {
    return more;
  }

  /** About how many were not to be had, because somebody else holds them just now. */
  public long busy() {
    return busy;
  }

  /** Deletes a letter for good. */
  public void delete(LeasedDeadLetter letter) {
    client.deleteMessage(d -> d.queueUrl(queueUrl).receiptHandle(letter.message().receiptHandle()));
    left.remove(letter);
  }

  /** Lets others have what was not deleted. */
  @Override
  public void close() {
    var held = List.copyOf(left);
    for (int from = 0; from < held.size(); from += BATCH) {
      giveBack(held.subList(from, Math.min(held.size(), from + BATCH)));
    }
    left.clear();
  }

  /** One that cannot be given back comes back by itself. */
  private void giveBack(List<LeasedDeadLetter> batch) {
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
