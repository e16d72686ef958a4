package social.feed.infra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import social.feed.table.kernel.declaration.CreateTableRendering;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * Converts the table of a template to the requests that CloudFormation would send for it.
 *
 * @param properties properties of an {@code AWS::DynamoDB::Table}; a missing one is an error
 * @param name name of the table to create
 */
record TableTemplate(JsonNode properties, String name) {

  CreateTableRendering requests() {
    return new CreateTableRendering(create(), timeToLive(), backups());
  }

  private CreateTableRequest create() {
    var sse = properties.required("SSESpecification");
    var view = properties.required("StreamSpecification").required("StreamViewType");
    return CreateTableRequest.builder()
        .tableName(name)
        .keySchema(keys(properties))
        .attributeDefinitions(each(properties, "AttributeDefinitions", TableTemplate::attribute))
        .globalSecondaryIndexes(each(properties, "GlobalSecondaryIndexes", TableTemplate::index))
        .billingMode(properties.required("BillingMode").textValue())
        .deletionProtectionEnabled(properties.required("DeletionProtectionEnabled").booleanValue())
        .sseSpecification(s -> s.enabled(sse.required("SSEEnabled").booleanValue()))
        .streamSpecification(s -> s.streamEnabled(true).streamViewType(view.textValue()))
        .build();
  }

  private UpdateTimeToLiveRequest timeToLive() {
    var expiry = properties.required("TimeToLiveSpecification");
    return UpdateTimeToLiveRequest.builder()
        .tableName(name)
        .timeToLiveSpecification(
            t ->
                t.attributeName(expiry.required("AttributeName").textValue())
                    .enabled(expiry.required("Enabled").booleanValue()))
        .build();
  }

  private UpdateContinuousBackupsRequest backups() {
    var recovery = properties.required("PointInTimeRecoverySpecification");
    return UpdateContinuousBackupsRequest.builder()
        .tableName(name)
        .pointInTimeRecoverySpecification(
            p ->
                p.pointInTimeRecoveryEnabled(
                    recovery.required("PointInTimeRecoveryEnabled").booleanValue()))
        .build();
  }

  private static AttributeDefinition attribute(JsonNode attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute.required("AttributeName").textValue())
        .attributeType(attribute.required("AttributeType").textValue())
        .build();
  }

  private static GlobalSecondaryIndex index(JsonNode index) {
    var projection = index.required("Projection");
    return GlobalSecondaryIndex.builder()
        .indexName(index.required("IndexName").textValue())
        .keySchema(keys(index))
        .projection(
            Projection.builder()
                .projectionType(projection.required("ProjectionType").textValue())
                .nonKeyAttributes(each(projection, "NonKeyAttributes", JsonNode::textValue))
                .build())
        .build();
  }

  private static List<KeySchemaElement> keys(JsonNode owner) {
    return each(
        owner,
        "KeySchema",
        key ->
            KeySchemaElement.builder()
                .attributeName(key.required("AttributeName").textValue())
                .keyType(key.required("KeyType").textValue())
                .build());
  }

  private static <T> List<T> each(JsonNode owner, String list, Function<JsonNode, T> of) {
    return StreamSupport.stream(owner.required(list).spliterator(), false).map(of).toList();
  }
}
