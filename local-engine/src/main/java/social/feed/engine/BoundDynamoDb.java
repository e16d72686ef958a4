package social.feed.engine;

import java.net.URI;

/**
 * A {@link LocalDynamoDb} that has its port but no database yet. A part that needs the address can
 * start meanwhile. A request waits until the database is open.
 */
public final class BoundDynamoDb implements AutoCloseable {

  private final LoopbackHttp http;

  BoundDynamoDb(LoopbackHttp http) {
    this.http = http;
  }

  /** Returns the address for clients, such as {@code http://127.0.0.1:40213}. */
  public URI endpoint() {
    return http.endpoint();
  }

  /**
   * Opens the database and returns when requests are answered. The returned engine owns the port.
   * After a failure the port is free again.
   *
   * @throws DataFolderException the folder is in use, not writable or holds a damaged database
   */
  public LocalDynamoDb open(Storage storage) {
    try {
      return LocalDynamoDb.serve(EngineDatabase.open(storage), http);
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
  }

  /** Frees the port if the database was not opened. */
  @Override
  public void close() {
    http.close();
  }
}
