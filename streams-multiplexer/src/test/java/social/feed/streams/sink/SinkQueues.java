package social.feed.streams.sink;

import java.util.List;
import social.feed.engine.LocalQueue;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** A real queue of sinks, and one of dead letters. */
public final class SinkQueues implements AutoCloseable {
  private static final List<QueueAttributeName> NUMBERS =
      List.of(
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);

  private final LocalQueue server = LocalQueue.start();
  public final SqsClient client = server.newClient();

  /** The address of the queue of sinks. */
  public final String sinks = server.createQueue("sinks").toString();

  /** The address of the queue of dead letters. */
  public final String deadLetters = server.createQueue("dead").toString();

  public final SqsSinkQueue queue = new SqsSinkQueue(client, sinks);
  public final SqsSinkDeadLetters unpublished = new SqsSinkDeadLetters(client, deadLetters);

  /** Receives and deletes up to ten messages of a queue. */
  public List<Message> receive(String from) {
    var received =
        client
            .receiveMessage(
                r -> r.queueUrl(from).maxNumberOfMessages(10).messageAttributeNames("All"))
            .messages();
    received.forEach(
        message ->
            client.deleteMessage(d -> d.queueUrl(from).receiptHandle(message.receiptHandle())));
    return received;
  }

  /** The number of messages of a queue, also of those that are delayed or hidden. */
  public long waiting(String at) {
    return client
        .getQueueAttributes(g -> g.queueUrl(at).attributeNames(NUMBERS))
        .attributes()
        .values()
        .stream()
        .mapToLong(Long::parseLong)
        .sum();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
