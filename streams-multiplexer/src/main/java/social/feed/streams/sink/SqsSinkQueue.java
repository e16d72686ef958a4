package social.feed.streams.sink;

import java.time.Duration;
import java.util.List;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

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
    messages.stream()
        .gather(Gatherers.windowFixed(BATCH))
        .forEach(batch -> sendBatch(batch, delay));
  }

  private void sendBatch(List<SinkMessage> batch, Duration delay) {
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
    var response = client.sendMessageBatch(s -> s.queueUrl(url).entries(entries));
    if (!response.failed().isEmpty()) {
      throw SdkClientException.create(
          "The queue refused %d of %d messages: %s"
              .formatted(
                  response.failed().size(), batch.size(), response.failed().getFirst().code()));
    }
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
