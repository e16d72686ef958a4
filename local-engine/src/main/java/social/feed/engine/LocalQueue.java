package social.feed.engine;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * ElasticMQ in this JVM: serves the SQS protocol on 127.0.0.1, with the limits of the service.
 *
 * <p>Any number can run in memory, but only one in a folder at a time: ElasticMQ keeps its
 * connection to the stored messages in a static field. In a folder, a message is stored before its
 * send is answered, so it survives a hard kill.
 */
public final class LocalQueue implements AutoCloseable {

  private final QueueServer server;

  private LocalQueue(QueueServer server) {
    this.server = server;
  }

  /** Starts in memory, on any free port. */
  public static LocalQueue start() {
    return start(Storage.inMemory(), ListenOn.anyPort());
  }

  /**
   * Starts and returns when requests are answered and stored messages can be received again.
   *
   * @throws PortTakenException another program listens there
   * @throws DataFolderException the folder is in use, not writable or holds damaged messages
   * @throws IllegalStateException this JVM already serves a folder's messages
   */
  public static LocalQueue start(Storage storage, ListenOn listenOn) {
    return new LocalQueue(QueueServer.start(storage, listenOn));
  }

  /** Returns the address for clients, such as {@code http://127.0.0.1:40214}. */
  public URI endpoint() {
    return server.endpoint();
  }

  /** Returns a new client of this server. The caller closes it. */
  public SqsClient newClient() {
    return EngineClients.sqs(endpoint());
  }

  /**
   * Creates the queue, or leaves an existing one unchanged.
   *
   * @return the queue's URL
   */
  public URI createQueue(String name) {
    try (SqsClient client = newClient()) {
      @Nullable String existing = existing(client, name);
      return URI.create(
          existing != null ? existing : client.createQueue(q -> q.queueName(name)).queueUrl());
    }
  }

  private static @Nullable String existing(SqsClient client, String name) {
    return client.listQueues(list -> list.queueNamePrefix(name)).queueUrls().stream()
        .filter(url -> url.endsWith("/" + name))
        .findFirst()
        .orElse(null);
  }

  /** Stops serving and releases the folder. Stored messages are kept. */
  @Override
  public void close() {
    server.close();
  }
}
