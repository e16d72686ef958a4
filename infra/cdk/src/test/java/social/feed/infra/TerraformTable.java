package social.feed.infra;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import social.feed.table.kernel.declaration.CreateTableRendering;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * The table as a configuration of Terraform, in its JSON syntax, for teams that deploy with it. It
 * holds the table only, as the stack of data has it.
 */
final class TerraformTable {
  private static final String RESOURCE = "aws_dynamodb_table";
  private static final String NAME = "feed";
  private static final String ADDRESS = RESOURCE + "." + NAME;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private TerraformTable() {}

  /**
   * Returns the text of the configuration.
   *
   * @param unitsMax the default for the maximum of read units, and of write units, that the table
   *     and each index may use in a second
   */
  static String render(CreateTableRendering requests, int unitsMax) {
    try {
      return JSON.writeValueAsString(configuration(requests, unitsMax)) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> configuration(CreateTableRendering requests, int unitsMax) {
    var configuration = new LinkedHashMap<String, Object>();
    configuration.put(
        "//", "Rendered from the declaration of the table by ITTerraformTable; do not edit.");
    configuration.put(
        "terraform",
        ordered(
            "required_version",
            ">= 1.5",
            "required_providers",
            Map.of("aws", ordered("source", "hashicorp/aws", "version", ">= 5.70, < 7.0"))));
    configuration.put(
        "variable",
        ordered(
            "table_name",
            variable("string", NAME, "The name of the table."),
            "units_max",
            variable(
                "number",
                unitsMax,
                "The maximum of read units, and of write units, that the table and each of its"
                    + " indexes may use in a second. It limits the cost of a mistake.")));
    configuration.put("resource", Map.of(RESOURCE, Map.of(NAME, table(requests))));
    configuration.put(
        "output",
        ordered(
            "table_name",
            output("name", "The input tableName of the stacks."),
            "stream_label",
            output("stream_label", "The input streamLabel of the stacks.")));
    return configuration;
  }

  private static Map<String, Object> variable(String type, Object byDefault, String description) {
    return ordered("type", type, "default", byDefault, "description", description);
  }

  private static Map<String, Object> output(String attribute, String description) {
    return ordered("value", "${" + ADDRESS + "." + attribute + "}", "description", description);
  }

  private static Map<String, Object> table(CreateTableRendering requests) {
    var create = requests.create();
    var expiry = requests.timeToLive().timeToLiveSpecification();
    var backups = requests.backups().pointInTimeRecoverySpecification();
    return ordered(
        "name",
        "${var.table_name}",
        "billing_mode",
        create.billingModeAsString(),
        "hash_key",
        key(create.keySchema(), KeyType.HASH),
        "range_key",
        key(create.keySchema(), KeyType.RANGE),
        "attribute",
        create.attributeDefinitions().stream().map(TerraformTable::attribute).toList(),
        "global_secondary_index",
        create.globalSecondaryIndexes().stream().map(TerraformTable::index).toList(),
        "ttl",
        ordered("attribute_name", expiry.attributeName(), "enabled", expiry.enabled()),
        "stream_enabled",
        create.streamSpecification().streamEnabled(),
        "stream_view_type",
        create.streamSpecification().streamViewTypeAsString(),
        "point_in_time_recovery",
        Map.of("enabled", backups.pointInTimeRecoveryEnabled()),
        "server_side_encryption",
        Map.of("enabled", create.sseSpecification().enabled()),
        "deletion_protection_enabled",
        create.deletionProtectionEnabled(),
        "on_demand_throughput",
        bound(),
        "lifecycle",
        Map.of("prevent_destroy", true));
  }

  private static Map<String, Object> attribute(AttributeDefinition attribute) {
    return ordered("name", attribute.attributeName(), "type", attribute.attributeTypeAsString());
  }

  private static Map<String, Object> index(GlobalSecondaryIndex index) {
    return ordered(
        "name",
        index.indexName(),
        "hash_key",
        key(index.keySchema(), KeyType.HASH),
        "range_key",
        key(index.keySchema(), KeyType.RANGE),
        "projection_type",
        index.projection().projectionTypeAsString(),
        "non_key_attributes",
        index.projection().nonKeyAttributes(),
        "on_demand_throughput",
        bound());
  }

  private static Map<String, Object> bound() {
    return ordered(
        "max_read_request_units",
        "${var.units_max}",
        "max_write_request_units",
        "${var.units_max}");
  }

  private static String key(List<KeySchemaElement> keys, KeyType type) {
    return keys.stream()
        .filter(key -> key.keyType() == type)
        .map(KeySchemaElement::attributeName)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the requests that Terraform would send for a configuration. A missing field fails. */
  static CreateTableRendering parse(JsonNode configuration, String name) {
    var table = configuration.required("resource").required(RESOURCE).required(NAME);
    var create =
        CreateTableRequest.builder()
            .tableName(name)
            .keySchema(keys(table))
            .attributeDefinitions(each(table, "attribute", TerraformTable::definition))
            .globalSecondaryIndexes(each(table, "global_secondary_index", TerraformTable::indexOf))
            .billingMode(table.required("billing_mode").textValue())
            .deletionProtectionEnabled(table.required("deletion_protection_enabled").booleanValue())
            .sseSpecification(s -> s.enabled(isEnabled(table, "server_side_encryption")))
            .streamSpecification(
                s ->
                    s.streamEnabled(table.required("stream_enabled").booleanValue())
                        .streamViewType(table.required("stream_view_type").textValue()))
            .build();
    var timeToLive =
        UpdateTimeToLiveRequest.builder()
            .tableName(name)
            .timeToLiveSpecification(
                t ->
                    t.attributeName(table.required("ttl").required("attribute_name").textValue())
                        .enabled(isEnabled(table, "ttl")))
            .build();
    var backups =
        UpdateContinuousBackupsRequest.builder()
            .tableName(name)
            .pointInTimeRecoverySpecification(
                p -> p.pointInTimeRecoveryEnabled(isEnabled(table, "point_in_time_recovery")))
            .build();
    return new CreateTableRendering(create, timeToLive, backups);
  }

  private static boolean isEnabled(JsonNode owner, String block) {
    return owner.required(block).required("enabled").booleanValue();
  }

  private static AttributeDefinition definition(JsonNode attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute.required("name").textValue())
        .attributeType(attribute.required("type").textValue())
        .build();
  }

  private static GlobalSecondaryIndex indexOf(JsonNode index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.required("name").textValue())
        .keySchema(keys(index))
        .projection(
            Projection.builder()
                .projectionType(index.required("projection_type").textValue())
                .nonKeyAttributes(each(index, "non_key_attributes", JsonNode::textValue))
                .build())
        .build();
  }

  private static List<KeySchemaElement> keys(JsonNode owner) {
    return List.of(
        KeySchemaElement.builder()
            .attributeName(owner.required("hash_key").textValue())
            .keyType(KeyType.HASH)
            .build(),
        KeySchemaElement.builder()
            .attributeName(owner.required("range_key").textValue())
            .keyType(KeyType.RANGE)
            .build());
  }

  private static <T> List<T> each(JsonNode owner, String list, Function<JsonNode, T> of) {
    return StreamSupport.stream(owner.required(list).spliterator(), false).map(of).toList();
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
