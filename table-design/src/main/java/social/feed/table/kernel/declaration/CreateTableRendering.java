package social.feed.table.kernel.declaration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * A declaration as the three requests that create the table. {@link #parse} is the inverse.
 *
 * @param create the table, its indexes and its stream
 * @param timeToLive must be sent after the table is active
 * @param backups must be sent after the table is active; local engines do not support it
 */
public record CreateTableRendering(
    CreateTableRequest create,
    UpdateTimeToLiveRequest timeToLive,
    UpdateContinuousBackupsRequest backups) {

  public static CreateTableRendering render(TableDeclaration table, String name) {
    var create =
        CreateTableRequest.builder()
            .tableName(name)
            .keySchema(keySchema(table.partitionKey(), table.sortKey()))
            .attributeDefinitions(attributeDefinitions(table))
            .globalSecondaryIndexes(
                table.indexes().stream().map(CreateTableRendering::index).toList())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .deletionProtectionEnabled(table.deletionProtection())
            .sseSpecification(sse -> sse.enabled(true))
            .streamSpecification(
                s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES))
            .build();
    var timeToLive =
        UpdateTimeToLiveRequest.builder()
            .tableName(name)
            .timeToLiveSpecification(t -> t.attributeName(table.ttlAttribute()).enabled(true))
            .build();
    var backups =
        UpdateContinuousBackupsRequest.builder()
            .tableName(name)
            .pointInTimeRecoverySpecification(
                p -> p.pointInTimeRecoveryEnabled(table.pointInTimeRecovery()))
            .build();
    return new CreateTableRendering(create, timeToLive, backups);
  }

  /**
   * Returns the declaration that {@link #render} would turn into these requests.
   *
   * @throws IllegalArgumentException when a declaration cannot express the requests
   */
  public TableDeclaration parse() {
    requireStringKeys(create.attributeDefinitions());
    return new TableDeclaration(
        keyName(create.keySchema(), KeyType.HASH),
        keyName(create.keySchema(), KeyType.RANGE),
        timeToLive.timeToLiveSpecification().attributeName(),
        create.globalSecondaryIndexes().stream()
            .map(i -> index(i.indexName(), i.keySchema(), i.projection()))
            .toList(),
        create.deletionProtectionEnabled(),
        backups.pointInTimeRecoverySpecification().pointInTimeRecoveryEnabled());
  }

  static IndexDeclaration index(String name, List<KeySchemaElement> keys, Projection projection) {
    if (projection.projectionType() != ProjectionType.INCLUDE) {
      throw new IllegalArgumentException(name + " does not project INCLUDE");
    }
    return new IndexDeclaration(
        name,
        purpose(name),
        keyName(keys, KeyType.HASH),
        keyName(keys, KeyType.RANGE),
        new TreeSet<>(projection.nonKeyAttributes()));
  }

  private static String purpose(String indexName) {
    return Stream.of(Index.values())
        .filter(index -> index.indexName().equals(indexName))
        .map(Index::purpose)
        .findFirst()
        .orElse("");
  }

  static String keyName(List<KeySchemaElement> keys, KeyType type) {
    return keys.stream()
        .filter(key -> key.keyType() == type)
        .map(KeySchemaElement::attributeName)
        .findFirst()
        .orElse("");
  }

  static void requireStringKeys(List<AttributeDefinition> definitions) {
    definitions.stream()
        .filter(definition -> definition.attributeType() != ScalarAttributeType.S)
        .forEach(
            definition -> {
              throw new IllegalArgumentException(
                  "Key attribute " + definition.attributeName() + " is not a string");
            });
  }

  private static GlobalSecondaryIndex index(IndexDeclaration index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.name())
        .keySchema(keySchema(index.partitionKey(), index.sortKey()))
        .projection(
            p -> p.projectionType(ProjectionType.INCLUDE).nonKeyAttributes(index.projected()))
        .build();
  }

  private static List<KeySchemaElement> keySchema(String partition, String sort) {
    return List.of(
        KeySchemaElement.builder().attributeName(partition).keyType(KeyType.HASH).build(),
        KeySchemaElement.builder().attributeName(sort).keyType(KeyType.RANGE).build());
  }

  private static List<AttributeDefinition> attributeDefinitions(TableDeclaration table) {
    var names = new LinkedHashSet<>(List.of(table.partitionKey(), table.sortKey()));
    table.indexes().forEach(index -> names.addAll(List.of(index.partitionKey(), index.sortKey())));
    return names.stream()
        .map(
            name ->
                AttributeDefinition.builder()
                    .attributeName(name)
                    .attributeType(ScalarAttributeType.S)
                    .build())
        .toList();
  }
}
