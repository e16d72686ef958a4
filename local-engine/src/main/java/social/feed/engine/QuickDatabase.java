package social.feed.engine;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.OnDemandThroughput;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.dynamodb.services.local.shared.access.TableInfo;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;

/**
 * The engine's database with less processor time: SQL runs on the thread of the request, and the
 * description of a table is read once after each change. The engine reads it for every item.
 */
final class QuickDatabase extends SQLiteDBAccess {
  private final Map<String, TableInfo> tables = new HashMap<>();
  private long changes;

  /**
   * Opens a database.
   *
   * @param file null for memory
   */
  QuickDatabase(@Nullable File file) {
    super(file);
    SchemaCache.install();
    queue = new CallerRunsQueue(queue);
  }

  /**
   * Gives the next record of streams a number, or one after the last record, whichever is greater.
   * The readers of a data folder that an earlier version opened after two days may have any number
   * from 1 on behind them. The time in milliseconds is greater than all of these.
   */
  void numberRecordsFrom(long least) {
    var next =
        (AtomicLong) EngineInternals.read(SQLiteDBAccess.class, "sequenceNumberCounter", this);
    var _ = next.accumulateAndGet(least, Math::max);
  }

  @Override
  public @Nullable TableInfo getTableInfo(String table) {
    long before;
    synchronized (tables) {
      var known = tables.get(table);
      if (known != null) {
        return known;
      }
      before = changes;
    }
    // The engine changes parts of this description before it stores a change of the table.
    var read = SchemaCache.changing(() -> super.getTableInfo(table));
    synchronized (tables) {
      if (read != null && changes == before) {
        tables.put(table, read);
      }
    }
    return read;
  }

  /** Changes a table, and lets its description be read again even if the change fails. */
  private void change(Runnable change) {
    try {
      var _ =
          SchemaCache.changing(
              () -> {
                change.run();
                return true;
              });
    } finally {
      synchronized (tables) {
        changes++;
        tables.clear();
      }
    }
  }

  @Override
  public void createTable(
      String table,
      AttributeDefinition partitionKey,
      AttributeDefinition sortKey,
      List<AttributeDefinition> attributes,
      List<LocalSecondaryIndex> localIndexes,
      List<GlobalSecondaryIndex> indexes,
      ProvisionedThroughput throughput,
      OnDemandThroughput onDemand,
      BillingMode billing,
      Boolean isProtected,
      StreamSpecification stream) {
    change(
        () ->
            super.createTable(
                table,
                partitionKey,
                sortKey,
                attributes,
                localIndexes,
                indexes,
                throughput,
                onDemand,
                billing,
                isProtected,
                stream));
  }

  @Override
  public void updateTable(
      String table,
      ProvisionedThroughput throughput,
      OnDemandThroughput onDemand,
      BillingMode billing,
      long onDemandSince,
      List<AttributeDefinition> attributes,
      List<GlobalSecondaryIndexDescription> indexes,
      Boolean isProtected,
      StreamSpecification stream) {
    change(
        () ->
            super.updateTable(
                table,
                throughput,
                onDemand,
                billing,
                onDemandSince,
                attributes,
                indexes,
                isProtected,
                stream));
  }

  @Override
  public void updateTable(String table, String expiryAttribute) {
    change(() -> super.updateTable(table, expiryAttribute));
  }

  @Override
  public void deleteGSI(String table, String index) {
    change(() -> super.deleteGSI(table, index));
  }

  @Override
  public void deleteTable(String table) {
    change(() -> super.deleteTable(table));
  }
}
