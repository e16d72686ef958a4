package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.schema.FeedTable;

/** Tests that the commands of the operations page match the stacks and the table. */
class AlarmsPageTest {
  private static String page;
  private static String restore;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("..", "..", "docs", "operations.md"));
    restore = section("## Restore a backup");
  }

  private static String section(String title) {
    int from = page.indexOf(title);
    assertThat(from).as(title).isNotNegative();
    return page.substring(from, page.indexOf("\n## ", from));
  }

  @Test
  void restoredTable_isConfiguredAsDeclared() {
    var declared = CreateTableRendering.render(FeedTable.DECLARATION, "NEW");

    assertThat(restore)
        .contains(
            "AttributeName=" + FeedTable.DECLARATION.ttlAttribute() + "\n",
            "StreamViewType="
                + declared.create().streamSpecification().streamViewTypeAsString()
                + "\n",
            "--deletion-protection-enabled\n",
            "PointInTimeRecoveryEnabled="
                + declared.backups().pointInTimeRecoverySpecification().pointInTimeRecoveryEnabled()
                + "\n");
  }

  @Test
  void restoredTable_isGivenByExistingInputs() {
    assertThat(restore)
        .contains("-c " + Inputs.TABLE_NAME + "=NEW -c " + Inputs.STREAM_LABEL + "=LABEL");
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void tasks_restartInTheNumbersOfTheStage(Stage stage) {
    assertThat(restore)
        .contains("`%s` %d and %d".formatted(stage.label(), stage.tasksMin(), stage.tasksMax()));
  }

  /** A table scan leaves half of the capacity to requests and the stream, at every stage. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void scans_useAtMostHalfOfTheStagesCapacity(Stage stage) {
    var units = String.format(Locale.ROOT, "%,d", stage.unitsMax()).replace(',', ' ');
    var scans = Pattern.compile("--read-units (\\d+)").matcher(page).results().toList();

    assertThat(page).contains("`%s` %s".formatted(stage.label(), units));
    assertThat(scans)
        .isNotEmpty()
        .allSatisfy(
            scan ->
                assertThat(Integer.parseInt(scan.group(1)))
                    .isLessThanOrEqualTo(stage.unitsMax() / 2));
  }

  /** Each output that the page names exists in a stack. */
  @ParameterizedTest
  @EnumSource(Output.class)
  void outputs_ofThePage_existInTheStacks(Output output) {
    assertThat(page).contains("`" + output.id + "`");
    assertThat(Synthesized.of(Stage.PROD).json(output.part).required("Outputs").has(output.id))
        .isTrue();
  }

  private enum Output {
    TABLE("data", "TableName"),
    BATCHES("data", "FailedBatchesName"),
    DEAD_LETTERS("data", "DeadLettersUrl"),
    UNTOLD_EVENTS("data", "UntoldEventsArn"),
    EVENTS("data", "EventsUrl"),
    COUNTS_FUNCTION("stream", "CountsFunctionName"),
    EFFECTS_FUNCTION("stream", "EffectsFunctionName"),
    SERVICE("api", "Service");

    private final String part;
    private final String id;

    Output(String part, String id) {
      this.part = part;
      this.id = id;
    }
  }
}
