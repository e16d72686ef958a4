package social.feed.infra;

import java.util.List;
import social.feed.table.kernel.declaration.CreateTableRendering;
import software.amazon.awscdk.services.dynamodb.CfnTable;
import software.amazon.awscdk.services.dynamodb.CfnTable.AttributeDefinitionProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.GlobalSecondaryIndexProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.KeySchemaProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.OnDemandThroughputProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.PointInTimeRecoverySpecificationProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.ProjectionProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.SSESpecificationProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.StreamSpecificationProperty;
import software.amazon.awscdk.services.dynamodb.CfnTable.TimeToLiveSpecificationProperty;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.constructs.Construct;

/**
 * Creates the declared table as a resource, from the fields of the requests that create it on other
 * engines. It has no explicit name, so that CloudFormation can replace the table.
 */
final class TableResource {
  private TableResource() {}

  static CfnTable in(Construct scope, Stage stage) {
    var requests = CreateTableRendering.render(stage.table(), "feed");
    var create = requests.create();
    var bound = bound(stage);
    var table =
        CfnTable.Builder.create(scope, "Table")
            .keySchema(keys(create.keySchema()))
            .attributeDefinitions(
                create.attributeDefinitions().stream()
                    .map(
                        attribute ->
                            AttributeDefinitionProperty.builder()
                                .attributeName(attribute.attributeName())
                                .attributeType(attribute.attributeTypeAsString())
                                .build())
                    .toList())
            .globalSecondaryIndexes(
                create.globalSecondaryIndexes().stream().map(index -> index(index, bound)).toList())
            .billingMode(create.billingModeAsString())
            .onDemandThroughput(bound)
            .deletionProtectionEnabled(create.deletionProtectionEnabled())
            .sseSpecification(
                SSESpecificationProperty.builder()
                    .sseEnabled(create.sseSpecification().enabled())
                    .build())
            .streamSpecification(
                StreamSpecificationProperty.builder()
                    .streamViewType(create.streamSpecification().streamViewTypeAsString())
                    .build())
            .timeToLiveSpecification(
                TimeToLiveSpecificationProperty.builder()
                    .attributeName(requests.timeToLive().timeToLiveSpecification().attributeName())
                    .enabled(requests.timeToLive().timeToLiveSpecification().enabled())
                    .build())
            .pointInTimeRecoverySpecification(
                PointInTimeRecoverySpecificationProperty.builder()
                    .pointInTimeRecoveryEnabled(
                        requests
                            .backups()
                            .pointInTimeRecoverySpecification()
                            .pointInTimeRecoveryEnabled())
                    .build())
            .build();
    table.applyRemovalPolicy(stage.removalOfProtected());
    return table;
  }

  private static GlobalSecondaryIndexProperty index(
      GlobalSecondaryIndex index, OnDemandThroughputProperty bound) {
    return GlobalSecondaryIndexProperty.builder()
        .indexName(index.indexName())
        .keySchema(keys(index.keySchema()))
        .projection(
            ProjectionProperty.builder()
                .projectionType(index.projection().projectionTypeAsString())
                .nonKeyAttributes(index.projection().nonKeyAttributes())
                .build())
        .onDemandThroughput(bound)
        .build();
  }

  private static List<KeySchemaProperty> keys(List<KeySchemaElement> keys) {
    return keys.stream()
        .map(
            key ->
                KeySchemaProperty.builder()
                    .attributeName(key.attributeName())
                    .keyType(key.keyTypeAsString())
                    .build())
        .toList();
  }

  private static OnDemandThroughputProperty bound(Stage stage) {
    return OnDemandThroughputProperty.builder()
        .maxReadRequestUnits(stage.unitsMax())
        .maxWriteRequestUnits(stage.unitsMax())
        .build();
  }
}
