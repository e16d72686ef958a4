package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.declaration.CreateTableRendering;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.PlatformMetric.Dimension;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;

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

  /** These are not restored. */
  @Test
  void restoredTable_getsTheMaximumOfTheStageForEachIndex() {
    var names =
        CreateTableRendering.render(FeedTable.DECLARATION, "NEW")
            .create()
            .globalSecondaryIndexes()
            .stream()
            .map(GlobalSecondaryIndex::indexName)
            .toList();
    var units = Stage.PROD.unitsMax();
    var maximum = "MaxReadRequestUnits=%d,MaxWriteRequestUnits=%d".formatted(units, units);

    assertThat(restore)
        .contains(
            "--on-demand-throughput-override " + maximum + "\n",
            "for index in " + String.join(" ", names) + "; do\n",
            "OnDemandThroughput={" + maximum + "}}\"\n",
            "for `dev` " + Stage.DEV.unitsMax());
  }

  /** What the first run orders is lost: the table has no stream yet. */
  @Test
  void restoredTable_isRepairedBeforeAndAfterItsStream() {
    var repair = "`./feed verify --fix --region REGION --table NEW ";
    int stream = restore.indexOf("StreamEnabled=true");
    int lanes = restore.indexOf("streamLabel=LABEL");

    assertThat(restore.indexOf(repair)).isBetween(0, stream);
    assertThat(restore.lastIndexOf(repair)).isGreaterThan(lanes);
  }

  @Test
  void restoredTable_isGivenByExistingInputs() {
    assertThat(restore)
        .contains(
            " " + ExistingTable.TABLE_NAME + "=NEW " + ExistingTable.STREAM_LABEL + "=LABEL`");
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

  /** Each metric with values costs money: one for each route or lane. */
  @Test
  void metrics_costWhatThePageSays() throws IOException {
    var routes =
        Files.readAllLines(Path.of("../../feed-api/src/test/resources/authorisation.txt")).stream()
            .filter(line -> line.matches("(get|post|put|patch|delete) /v1/.*"))
            // Exists on the local platform only.
            .filter(line -> !line.contains("/v1/dev/"))
            .count();
    var metrics = 0L;
    for (var metric : PlatformMetric.values()) {
      metrics += metric.dimensions().contains(Dimension.LANE) ? Lane.values().length : routes + 1;
    }

    assertThat(section("## Metrics by route and by lane"))
        .contains(
            "There are %d routes, `none` and two lanes, so at most %d metrics, which cost %s dollars"
                .formatted(
                    routes,
                    metrics,
                    BigDecimal.valueOf(metrics).multiply(new BigDecimal("0.30")).toPlainString()));
  }

  /** The page has a row for each metric, with its dimensions. */
  @ParameterizedTest
  @EnumSource(PlatformMetric.class)
  void metrics_areOnThePage(PlatformMetric metric) {
    var dimensions =
        metric.dimensions().stream()
            .map(dimension -> "`" + dimension.label() + "`")
            .collect(Collectors.joining(", "));

    assertThat(section("## Metrics by route and by lane").lines())
        .anyMatch(
            line ->
                line.startsWith("| ")
                    && line.contains("`" + metric.label() + "`")
                    && line.contains("| " + dimensions + " |"));
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
    SERVICE("api", "Service"),
    TASK_LOG("api", "TaskLog"),
    FUNCTION_LOG("stream", "FunctionLog"),
    ALARM_TOPIC("watch", "AlarmTopic");

    private final String part;
    private final String id;

    Output(String part, String id) {
      this.part = part;
      this.id = id;
    }
  }
}
