package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.declaration.TableDifferences;
import social.feed.table.kernel.declaration.TableProvisioning;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.testkit.EngineExtension;
import social.feed.testkit.TestTable;

/**
 * Tests that {@code infra/terraform/table.tf.json} is the declared table: as a text, as requests,
 * as a declaration, and as a created table. {@code -Dgoldens.update=true} writes the file.
 */
@ExtendWith(EngineExtension.class)
class ITTerraformTable {
  private static final Path FILE = Path.of("../terraform/table.tf.json");
  private static final ObjectMapper JSON = new ObjectMapper();

  @BeforeAll
  static void update() throws IOException {
    if (Boolean.getBoolean("goldens.update")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, rendered());
    }
  }

  @Test
  void file_isUpToDate() {
    assertThat(FILE).as("rewrite it with -Dgoldens.update=true").hasContent(rendered());
  }

  @Test
  void file_asRequestsAndParsed_isTheDeclaration() throws IOException {
    var requests = TerraformTable.parse(file(), "feed");

    assertThat(requests).isEqualTo(CreateTableRendering.render(FeedTable.DECLARATION, "feed"));
    assertThat(requests.parse()).isEqualTo(FeedTable.DECLARATION);
  }

  @Test
  void table_createdFromTheFile_hasNoDifferences(TestTable tests) throws IOException {
    create(tests, "terraform", unprotected());

    assertThat(differences(tests, "terraform")).isEmpty();
  }

  /** The comparisons find an index that is missing, and one with another projection. */
  @Test
  void table_ofAnotherFile_differs(TestTable tests) throws IOException {
    var planted = unprotected();
    var table = planted.withObject("/resource/aws_dynamodb_table/feed");
    var indexes = (ArrayNode) table.required("global_secondary_index");
    indexes.remove(5);
    var definitions = (ArrayNode) table.required("attribute");
    definitions.remove(definitions.size() - 1);
    definitions.remove(definitions.size() - 1);
    create(tests, "terraform-planted", planted);

    assertThat(differences(tests, "terraform-planted"))
        .containsExactly("index GSI_NOTIF is missing");
    ((ObjectNode) indexes.get(0)).put("projection_type", "ALL");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TerraformTable.parse(planted, "feed").parse())
        .withMessageContaining("GSI1");
  }

  private static String rendered() {
    return TerraformTable.render(
        CreateTableRendering.render(FeedTable.DECLARATION, "feed"), Stage.PROD.unitsMax());
  }

  private static JsonNode file() throws IOException {
    return JSON.readTree(FILE.toFile());
  }

  /** The local engine knows no protection. */
  private static ObjectNode unprotected() throws IOException {
    ObjectNode file = file().deepCopy();
    file.withObject("/resource/aws_dynamodb_table/feed").put("deletion_protection_enabled", false);
    return file;
  }

  private static void create(TestTable tests, String name, JsonNode file) {
    var requests = TerraformTable.parse(file, name);
    tests.client().createTable(requests.create());
    tests.client().updateTimeToLive(requests.timeToLive());
  }

  private static List<String> differences(TestTable tests, String name) {
    var declared = FeedTable.DECLARATION.unprotected();
    return TableDifferences.between(
        declared, new TableProvisioning(tests.client(), declared).describe(name));
  }
}
