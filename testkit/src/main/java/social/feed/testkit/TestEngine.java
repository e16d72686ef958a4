package social.feed.testkit;

import social.feed.engine.LocalDynamoDb;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What a {@link TestTable} is on. {@link EngineChoice} says which. */
sealed interface TestEngine extends AutoCloseable {

  EngineAddress address();

  /** The name of a table that no other test has. */
  String tableName();

  /** Makes the declared table, and returns when it can be used. */
  void make(DynamoDbClient client, String table);

  /** Leaves nothing of a table behind, nor of others whose names begin with its own. */
  void remove(DynamoDbClient client, String table);

  @Override
  void close();

  /** In this JVM, for one table alone. It starts in a tenth of a second and ends with it. */
  record Embedded(LocalDynamoDb local) implements TestEngine {
    private static final String NAME = "feed";

    @Override
    public EngineAddress address() {
      return EngineAddress.local(local.endpoint());
    }

    @Override
    public String tableName() {
      return NAME;
    }

    @Override
    public void make(DynamoDbClient client, String table) {
      new TableProvisioning(client, FeedTable.DECLARATION.unprotected()).ensure(table);
    }

    @Override
    public void remove(DynamoDbClient client, String table) {
      // It goes with the engine.
    }

    @Override
    public void close() {
      local.close();
    }
  }

  /** One that was there before and stays; tables of tests are told by the prefix of their names. */
  record Shared(EngineAddress address, TableNames names) implements TestEngine {
    @Override
    public String tableName() {
      return names.next();
    }

    /**
     * Without expiry: the clock of the tests stands in March 2026, so the service would remove what
     * they have only just written.
     */
    @Override
    public void make(DynamoDbClient client, String table) {
      client.createTable(
          CreateTableRendering.render(FeedTable.DECLARATION.unprotected(), table).create());
      client.waiter().waitUntilTableExists(t -> t.tableName(table));
    }

    @Override
    public void remove(DynamoDbClient client, String table) {
      TableNames.remove(client, table);
    }

    @Override
    public void close() {
      // Somebody else's.
    }
  }
}
