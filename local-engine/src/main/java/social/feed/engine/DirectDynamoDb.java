package social.feed.engine;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * DynamoDB Local in memory, called directly instead of over HTTP. Results are the same, in a third
 * of the time. Its clients run no interceptors and retry nothing. Simulations use it, because they
 * make millions of calls.
 */
public final class DirectDynamoDb implements AutoCloseable {
  private final EngineDatabase database;
  private final DirectCalls calls;

  private DirectDynamoDb(EngineDatabase database) {
    this.database = database;
    this.calls = database.directCalls(_ -> {});
  }

  public static DirectDynamoDb start() {
    return new DirectDynamoDb(EngineDatabase.open(Storage.inMemory()));
  }

  /** Returns a client of the engine. */
  public DynamoDbClient client() {
    return calls.dynamoDb(List.of());
  }

  /** Returns a client of the engine's streams. */
  public DynamoDbStreamsClient streams() {
    return calls.streams();
  }

  /** Rolls the shards as {@link LocalDynamoDb#rollShards} does. */
  public void rollShards() {
    database.rollShards();
  }

  @Override
  public void close() {
    database.close();
  }
}
