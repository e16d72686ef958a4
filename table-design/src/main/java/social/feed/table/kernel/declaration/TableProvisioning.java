package social.feed.table.kernel.declaration;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/** Creates the declared table when it is absent, and rejects a different table of the same name. */
public final class TableProvisioning {
  private final DynamoDbClient client;
  private final TableDeclaration declared;

  public TableProvisioning(DynamoDbClient client, TableDeclaration declared) {
    this.client = client;
    this.declared = declared;
  }

  /**
   * Creates the table when it is absent, then compares it with the declaration. A different table
   * stays unchanged.
   *
   * @return whether the table was created
   * @throws TableMismatchException when a table of that name differs from the declared one
   */
  public boolean ensure(String name) {
    boolean created = createIfAbsent(name);
    var differences = differences(name);
    if (!differences.isEmpty()) {
      throw new TableMismatchException(name, differences);
    }
    enableTimeToLive(name);
    return created;
  }

  private List<String> differences(String name) {
    try {
      var found = describe(name);
      // TTL is off after a crash between the two requests that create a table.
      boolean off = found.ttlAttribute().isEmpty();
      return TableDifferences.between(declared, off ? withTimeToLive(found) : found);
    } catch (IllegalArgumentException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  private TableDeclaration withTimeToLive(TableDeclaration found) {
    return new TableDeclaration(
        found.partitionKey(),
        found.sortKey(),
        declared.ttlAttribute(),
        found.indexes(),
        found.deletionProtection(),
        found.pointInTimeRecovery());
  }

  /**
   * Returns the declaration of the existing table. Protections are not compared.
   *
   * @throws IllegalArgumentException when a declaration cannot express the table
   */
  public TableDeclaration describe(String name) {
    var table = client.describeTable(t -> t.tableName(name)).table();
    var ttl = client.describeTimeToLive(t -> t.tableName(name)).timeToLiveDescription();
    CreateTableRendering.requireStringKeys(table.attributeDefinitions());
    requireStream(table);
    return new TableDeclaration(
        CreateTableRendering.keyName(table.keySchema(), KeyType.HASH),
        CreateTableRendering.keyName(table.keySchema(), KeyType.RANGE),
        ttl.attributeName() == null ? "" : ttl.attributeName(),
        indexes(table),
        declared.deletionProtection(),
        declared.pointInTimeRecovery());
  }

  private static void requireStream(TableDescription table) {
    var stream = table.streamSpecification();
    if (stream == null || stream.streamViewType() != StreamViewType.NEW_AND_OLD_IMAGES) {
      throw new IllegalArgumentException("The table has no stream with both images");
    }
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
        // Another process created the table; it is compared like any other.
        created = false;
      }
    }
    client.waiter().waitUntilTableExists(t -> t.tableName(name));
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

  private void enableTimeToLive(String name) {
    if (isTimeToLiveOn(name)) {
      return;
    }
    try {
      client.updateTimeToLive(CreateTableRendering.render(declared, name).timeToLive());
    } catch (DynamoDbException e) {
      // DynamoDB also rejects the request when another process has just enabled TTL.
      if (!isTimeToLiveOn(name)) {
        throw e;
      }
    }
  }

  private boolean isTimeToLiveOn(String name) {
    var status =
        client
            .describeTimeToLive(t -> t.tableName(name))
            .timeToLiveDescription()
            .timeToLiveStatus();
    return status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
  }
}
