package social.feed.table.declaration;

import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Makes the declared table where there is none, and refuses to run on any other. */
public final class TableProvisioning {
  private final DynamoDbClient client;
  private final TableDeclaration declared;

  public TableProvisioning(DynamoDbClient client, TableDeclaration declared) {
    this.client = client;
    this.declared = declared;
  }

  /**
   * Creates the table when it is absent, then compares it with the declaration.
   *
   * @return whether the table was created
   * @throws TableMismatchException when a table of that name is not the declared one
   */
  public boolean ensure(String name) {
    boolean created = createIfAbsent(name);
    var differences = TableDifferences.between(declared, describe(name));
    if (!differences.isEmpty()) {
      throw new TableMismatchException(name, differences);
    }
    return created;
  }

  /** The declaration that the existing table is an instance of. Protections are not compared. */
  public TableDeclaration describe(String name) {
    var table = client.describeTable(t -> t.tableName(name)).table();
    var ttl = client.describeTimeToLive(t -> t.tableName(name)).timeToLiveDescription();
    CreateTableRendering.requireStringKeys(table.attributeDefinitions());
    return new TableDeclaration(
        CreateTableRendering.keyName(table.keySchema(), KeyType.HASH),
        CreateTableRendering.keyName(table.keySchema(), KeyType.RANGE),
        ttl.attributeName() == null ? "" : ttl.attributeName(),
        indexes(table),
        declared.deletionProtection(),
        declared.pointInTimeRecovery());
  }

  private static List<IndexDeclaration> indexes(TableDescription table) {
    return table.globalSecondaryIndexes().stream()
        .map(i -> CreateTableRendering.index(i.indexName(), i.keySchema(), i.projection()))
        .toList();
  }

  private boolean createIfAbsent(String name) {
    boolean created = false;
    var rendering = CreateTableRendering.render(declared, name);
    if (!exists(name)) {
      try {
        client.createTable(rendering.create());
        created = true;
      } catch (ResourceInUseException e) {
        // Another process was first; its table is compared like any other.
        created = false;
      }
    }
    client.waiter().waitUntilTableExists(t -> t.tableName(name));
    enableTimeToLive(name, rendering);
    return created;
  }

  private boolean exists(String name) {
    try {
      client.describeTable(t -> t.tableName(name));
      return true;
    } catch (ResourceNotFoundException e) {
      return false;
    }
  }

  private void enableTimeToLive(String name, CreateTableRendering rendering) {
    // A crash between CreateTable and this call leaves TTL off, so every start looks.
    var status =
        client
            .describeTimeToLive(t -> t.tableName(name))
            .timeToLiveDescription()
            .timeToLiveStatus();
    if (!Set.of(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING).contains(status)) {
      client.updateTimeToLive(rendering.timeToLive());
    }
  }
}
