package social.feed.testkit;

import social.feed.engine.LocalDynamoDb;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The engine of a {@link TestTable}, as {@link EngineChoice} selects it. */
sealed interface TestEngine extends AutoCloseable {

  EngineAddress address();

  /** Returns a table name that no other test uses. */
  String tableName();

  /** Creates the declared table and waits until it is active. */
  void make(DynamoDbClient client, String table);

  /** Removes a table, and all tables whose names start with its name. */
  void remove(DynamoDbClient client, String table);

  @Override
  void close();

  /**
   * An engine in this JVM for a single table. It starts in a tenth of a second and ends with the
   * table.
   */
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
      // The table ends with the engine.
    }

    @Override
    public void close() {
      local.close();
    }
  }

  /** An existing engine that stays after the tests; a name prefix identifies the tests' tables. */
  record Shared(EngineAddress address, TableNames names) implements TestEngine {
    @Override
    public String tableName() {
      return names.next();
    }

    /**
     * Creates the table without expiry. The clock of the tests starts in March 2026, so the service
     * would otherwise delete new rows as expired.
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
      // The engine belongs to other processes.
    }
  }
}
