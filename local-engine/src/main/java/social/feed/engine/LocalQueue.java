package social.feed.engine;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * ElasticMQ in this JVM: the SQS protocol on 127.0.0.1, with the service's own limits.
 *
 * <p>Any number in memory, one in a folder at a time: ElasticMQ keeps its connection to the stored
 * messages in a static field. In a folder a message is stored before its send is answered, so it
 * survives a hard kill.
 */
public final class LocalQueue implements AutoCloseable {

  private final QueueServer server;

  private LocalQueue(QueueServer server) {
    this.server = server;
  }

  /** In memory, on any free port. */
  public static LocalQueue start() {
    return start(Storage.inMemory(), ListenOn.anyPort());
  }

  /**
   * Returns when requests are answered and stored messages can be received again.
   *
   * @throws PortTakenException another program listens there
   * @throws DataFolderException the folder is in use, not writable or holds damaged messages
   * @throws IllegalStateException this JVM already serves a folder's messages
   */
  public static LocalQueue start(Storage storage, ListenOn listenOn) {
    return new LocalQueue(QueueServer.start(storage, listenOn));
  }

  /** Where clients connect to, such as {@code http://127.0.0.1:40214}. */
  public URI endpoint() {
    return server.endpoint();
  }

  /** A new client of this server; the caller closes it. */
  public SqsClient newClient() {
    return EngineClients.sqs(endpoint());
  }

  /**
   * Makes the queue, or leaves it as it is when it exists.
   *
   * @return the queue's URL
   */
  public URI createQueue(String name) {
    return createQueue(name, Map.of());
  }

  /** As {@link #createQueue(String)}, with attributes for a new queue. */
  public URI createQueue(String name, Map<QueueAttributeName, String> attributes) {
    CreateQueueRequest request =
        CreateQueueRequest.builder().queueName(name).attributes(attributes).build();
    try (SqsClient client = newClient()) {
      @Nullable String existing = existing(client, name);
      return URI.create(existing != null ? existing : client.createQueue(request).queueUrl());
    }
  }

  private static @Nullable String existing(SqsClient client, String name) {
    return client.listQueues(list -> list.queueNamePrefix(name)).queueUrls().stream()
        .filter(url -> url.endsWith("/" + name))
        .findFirst()
        .orElse(null);
  }

  /** Stops serving and lets go of the folder; stored messages are kept. */
  @Override
  public void close() {
    server.close();
  }
}
