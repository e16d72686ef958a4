package social.feed.engine;

import java.net.URI;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * DynamoDB Local in this JVM, served on 127.0.0.1.
 *
 * <p>One shared database, whatever credentials (alphanumeric) and region a client names. Several
 * may live in one JVM, each with its own tables. Sequence numbers of all streams of one database
 * come from one counter, so keep one streamed table a database.
 */
public final class LocalDynamoDb implements AutoCloseable {

  private final EngineDatabase database;
  private final LoopbackHttp http;
  private final WriteListeners bell;

  private LocalDynamoDb(EngineDatabase database, LoopbackHttp http, WriteListeners bell) {
    this.database = database;
    this.http = http;
    this.bell = bell;
  }

  /** In memory, on any free port. */
  public static LocalDynamoDb start() {
    return start(Storage.inMemory(), ListenOn.anyPort());
  }

  /**
   * Returns when requests are answered.
   *
   * @throws PortTakenException another program listens there
   * @throws DataFolderException the folder is in use, not writable or holds a damaged database
   */
  public static LocalDynamoDb start(Storage storage, ListenOn listenOn) {
    return bind(listenOn).open(storage);
  }

  /**
   * Takes the port and no more, which is quick.
   *
   * @throws PortTakenException another program listens there
   */
  public static BoundDynamoDb bind(ListenOn listenOn) {
    return new BoundDynamoDb(LoopbackHttp.bind("DynamoDB Local", listenOn));
  }

  static LocalDynamoDb serve(EngineDatabase database, LoopbackHttp http) {
    try {
      WriteListeners bell = new WriteListeners(database.httpHandler());
      http.serve(bell);
      return new LocalDynamoDb(database, http, bell);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Where clients connect to, such as {@code http://127.0.0.1:40213}. */
  public URI endpoint() {
    return http.endpoint();
  }

  /** A new client of this engine; the caller closes it. */
  public DynamoDbClient newClient() {
    return EngineClients.dynamoDb(endpoint());
  }

  /** A new client of this engine's streams; the caller closes it. */
  public DynamoDbStreamsClient newStreamsClient() {
    return EngineClients.streams(endpoint());
  }

  /**
   * Runs the listener after each request that may have written, on the request's thread, so it has
   * to be quick. Made for {@code EventSource.wake}: records reach a function in a few milliseconds
   * although the stream is polled rarely.
   */
  public void onWrite(Runnable listener) {
    bell.onWrite(listener);
  }

  /**
   * Closes the open shard of every stream and opens a child of it, as the service does every four
   * hours. Returns when that is done.
   */
  public void rollShards() {
    database.rollShards();
  }

  /** Stops serving and lets go of the folder; what was answered before is kept. */
  @Override
  public void close() {
    http.close();
    database.close();
  }
}
