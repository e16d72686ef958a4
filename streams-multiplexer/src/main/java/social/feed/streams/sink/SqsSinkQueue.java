package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * A queue of SQS, without an order: an event says itself where it belongs. One request for ten
 * messages.
 */
public final class SqsSinkQueue implements SinkQueue {
  private static final int BATCH = 10;

  private final SqsClient client;
  private final String url;

  public SqsSinkQueue(SqsClient client, String url) {
    this.client = client;
    this.url = url;
  }

  @Override
  public void send(List<SinkMessage> messages, Duration delay) {
    var refused = new TreeMap<Integer, String>();
    for (int first = 0; first < messages.size(); first += BATCH) {
      int end = Math.min(first + BATCH, messages.size());
      for (var entry : sendBatch(messages.subList(first, end), delay).failed()) {
        refused.put(first + Integer.parseInt(entry.id()), entry.code());
      }
    }
    if (!refused.isEmpty()) {
      throw new RefusedMessagesException(
          refused.keySet().stream().mapToInt(Integer::intValue).toArray(),
          "The queue refused %d of %d messages: %s"
              .formatted(refused.size(), messages.size(), refused.firstEntry().getValue()));
    }
  }

  private SendMessageBatchResponse sendBatch(List<SinkMessage> batch, Duration delay) {
    var entries =
        IntStream.range(0, batch.size())
            .mapToObj(
                i ->
                    SendMessageBatchRequestEntry.builder()
                        .id(Integer.toString(i))
                        .messageBody(batch.get(i).body())
                        .delaySeconds((int) delay.toSeconds())
                        .build())
            .toList();
    return client.sendMessageBatch(s -> s.queueUrl(url).entries(entries));
  }

  /** Returns up to ten messages, and waits for the first of them. */
  List<Message> receive(Duration wait) {
    return client
        .receiveMessage(
            r -> r.queueUrl(url).maxNumberOfMessages(BATCH).waitTimeSeconds((int) wait.toSeconds()))
        .messages();
  }

  /** Deletes a message. */
  void delete(Message message) {
    client.deleteMessage(d -> d.queueUrl(url).receiptHandle(message.receiptHandle()));
  }
}
