package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.declaration.TableDifferences;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Tests that the table of the template is the declared one: as requests, as a declaration, and as a
 * created table.
 */
@ExtendWith(EngineExtension.class)
class ITDeployedTable {
  private static final String TABLE = "AWS::DynamoDB::Table";

  @ParameterizedTest
  @EnumSource(Stage.class)
  void template_asRequests_equalsTheDeclaration(Stage stage) {
    assertThat(new TableTemplate(properties(stage), "feed").requests())
        .isEqualTo(CreateTableRendering.render(stage.table(), "feed"));
  }

  @Test
  void template_ofProd_parsed_isTheDeclaration() {
    assertThat(new TableTemplate(properties(Stage.PROD), "feed").requests().parse())
        .isEqualTo(FeedTable.DECLARATION);
  }

  @Test
  void template_ofDev_parsed_isTheUnprotectedDeclaration() {
    assertThat(new TableTemplate(properties(Stage.DEV), "feed").requests().parse())
        .isEqualTo(FeedTable.DECLARATION.unprotected());
  }

  /** An engine rejects errors that linters do not find: undefined keys, two indexes of one name. */
  @Test
  void table_createdFromTheTemplate_equalsTheTestTable(TestTable tests) {
    create(tests, "from-template", properties(Stage.DEV));

    assertThat(described(tests, "from-template")).isEqualTo(described(tests, tests.table().name()));
    assertThat(differences(tests, "from-template")).isEmpty();
  }

  /** The comparison finds a missing index. */
  @Test
  void table_createdWithoutAnIndex_differs(TestTable tests) {
    var planted = properties(Stage.DEV).deepCopy();
    ((ArrayNode) planted.required("GlobalSecondaryIndexes")).remove(5);
    var definitions = (ArrayNode) planted.required("AttributeDefinitions");
    definitions.remove(definitions.size() - 1);
    definitions.remove(definitions.size() - 1);
    create(tests, "planted", planted);

    assertThat(described(tests, "planted")).isNotEqualTo(described(tests, tests.table().name()));
    assertThat(differences(tests, "planted")).containsExactly("index GSI_NOTIF is missing");
  }

  @Test
  void table_withAnUndefinedKey_isRejected(TestTable tests) {
    var planted = properties(Stage.DEV).deepCopy();
    ((ArrayNode) planted.required("AttributeDefinitions")).remove(3);

    assertThatExceptionOfType(DynamoDbException.class)
        .isThrownBy(() -> create(tests, "undefined", planted))
        .withMessageContaining("GSI1SK");
  }

  private static JsonNode properties(Stage stage) {
    return Synthesized.of(stage).only("data", TABLE);
  }

  private static void create(TestTable tests, String name, JsonNode properties) {
    var requests = new TableTemplate(properties, name).requests();
    tests.client().createTable(requests.create());
    tests.client().updateTimeToLive(requests.timeToLive());
  }

  private static List<String> differences(TestTable tests, String name) {
    var declared = FeedTable.DECLARATION.unprotected();
    return TableDifferences.between(
        declared, new TableProvisioning(tests.client(), declared).describe(name));
  }

  /** Returns a description without names, times, counts and the order of indexes. */
  private static TableDescription described(TestTable tests, String name) {
    var table = tests.client().describeTable(t -> t.tableName(name)).table();
    return table.toBuilder()
        .tableName(null)
        .tableArn(null)
        .tableId(null)
        .creationDateTime(null)
        .itemCount(null)
        .tableSizeBytes(null)
        .latestStreamArn(null)
        .latestStreamLabel(null)
        .billingModeSummary(
            summary -> summary.billingMode(table.billingModeSummary().billingMode()))
        .globalSecondaryIndexes(
            table.globalSecondaryIndexes().stream()
                .map(ITDeployedTable::anonymous)
                .sorted(Comparator.comparing(GlobalSecondaryIndexDescription::indexName))
                .toList())
        .build();
  }

  private static GlobalSecondaryIndexDescription anonymous(GlobalSecondaryIndexDescription index) {
    return index.toBuilder().indexArn(null).itemCount(null).indexSizeBytes(null).build();
  }
}
