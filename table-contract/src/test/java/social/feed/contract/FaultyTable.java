package social.feed.contract;

import java.time.Duration;
import java.util.Random;
import social.feed.table.kernel.store.Retry;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The table of a test, reached through a client with injected faults. */
record FaultyTable(DynamoDbClient client, Table table) implements AutoCloseable {
  static final int ATTEMPTS = 5;

  static FaultyTable of(TestTable real, ExecutionInterceptor fault) {
    var client = real.newClient(fault);
    return new FaultyTable(client, retrying(client, real.table().name(), ATTEMPTS));
  }

  /** Returns a table that retries often and without a pause. */
  static Table retrying(DynamoDbClient client, String name, int attempts) {
    var backoff = new Retry(attempts, Duration.ZERO, Duration.ZERO, new Random(1), _ -> {});
    return new Table(client, name, backoff);
  }

  @Override
  public void close() {
    client.close();
  }
}
