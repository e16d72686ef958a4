package social.feed.engine;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.interceptor.ClasspathInterceptorChainFactory;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * DynamoDB Local in this JVM, served on 127.0.0.1.
 *
 * <p>All clients share one database, whatever region and (alphanumeric) credentials they use.
 * Several engines may run in one JVM, each with its own tables. All streams of one database draw
 * their sequence numbers from one counter, so use one streamed table per database.
 */
public final class LocalDynamoDb implements AutoCloseable {
  /** Where the SDK finds the interceptors of every client of DynamoDB. */
  private static final String INTERCEPTORS =
      "software/amazon/awssdk/services/dynamodb/execution.interceptors";

  private final EngineDatabase database;
  private final LoopbackHttp http;
  private final WriteListeners writeListeners;

  private LocalDynamoDb(EngineDatabase database, LoopbackHttp http, WriteListeners writeListeners) {
    this.database = database;
    this.http = http;
    this.writeListeners = writeListeners;
  }

  /** Starts in memory, on any free port. */
  public static LocalDynamoDb start() {
    return start(Storage.inMemory(), ListenOn.anyPort());
  }

  /**
   * Starts and returns when requests are answered.
   *
   * @throws PortTakenException another program listens there
   * @throws DataFolderException the folder is in use, not writable or holds a damaged database
   */
  public static LocalDynamoDb start(Storage storage, ListenOn listenOn) {
    return bind(listenOn).open(storage);
  }

  /**
   * Binds the port without opening a database, which is quick.
   *
   * @throws PortTakenException another program listens there
   */
  public static BoundDynamoDb bind(ListenOn listenOn) {
    return new BoundDynamoDb(LoopbackHttp.bind("DynamoDB Local", listenOn));
  }

  static LocalDynamoDb serve(EngineDatabase database, LoopbackHttp http) {
    try {
      WriteListeners writeListeners = new WriteListeners(database.httpHandler());
      http.serve(writeListeners);
      return new LocalDynamoDb(database, http, writeListeners);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** Returns the address for clients, such as {@code http://127.0.0.1:40213}. */
  public URI endpoint() {
    return http.endpoint();
  }

  /** Returns a new client of this engine. The caller closes it. */
  public DynamoDbClient newClient() {
    return EngineClients.dynamoDb(endpoint());
  }

  /** Returns a new client of this engine's streams. The caller closes it. */
  public DynamoDbStreamsClient newStreamsClient() {
    return EngineClients.streams(endpoint());
  }

  /**
   * Returns a client that calls the engine without HTTP, in a third of the time. It retries
   * nothing.
   *
   * @param interceptors run in this order, after those that the SDK finds on the class path
   */
  public DynamoDbClient directClient(ExecutionInterceptor... interceptors) {
    var all = new ArrayList<>(new ClasspathInterceptorChainFactory().getInterceptors(INTERCEPTORS));
    all.addAll(List.of(interceptors));
    return directCalls().dynamoDb(all);
  }

  /** Returns a client of this engine's streams that calls the engine without HTTP. */
  public DynamoDbStreamsClient directStreamsClient() {
    return directCalls().streams();
  }

  private DirectCalls directCalls() {
    return database.directCalls(writeListeners::called);
  }

  /**
   * Runs the listener after each request that may have written. It runs on the thread of the
   * request, so it must be quick. {@code EventSource.wake} is such a listener: records reach a
   * function in a few milliseconds although the stream is polled rarely.
   */
  public void onWrite(Runnable listener) {
    writeListeners.onWrite(listener);
  }

  /**
   * Closes the open shard of every stream and opens a child of it, as the service does every four
   * hours. Returns when that is done.
   */
  public void rollShards() {
    database.rollShards();
  }

  /** Stops serving and releases the folder. Writes that were answered before are kept. */
  @Override
  public void close() {
    http.close();
    database.close();
  }
}
