package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awscdk.assertions.Match;

class MonitoringStackTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);
  private static final Path PAGE = Path.of("..", "..", "docs", "operations.md");
  private static final Pattern NAME = Pattern.compile("`([A-Za-z]+)`");

  @Test
  void alarms_useTheseMetrics() {
    var names = new TreeSet<String>();
    for (var alarm : alarms()) {
      names.addAll(texts(alarm, "MetricName"));
    }

    assertThat(names)
        .containsExactly(
            "5XXError",
            "5xx",
            "ApproximateAgeOfOldestMessage",
            "ApproximateNumberOfMessagesVisible",
            "DestinationDeliveryFailures",
            "Drift",
            "Errors",
            "FailedInvokeEventCount",
            "FilteredOutEventCount",
            "IteratorAge",
            "Latency",
            "OnFailureDestinationDeliveredEventCount",
            "PolledEventCount",
            "ReadThrottleEvents",
            "Throttles",
            "WriteThrottleEvents");
  }

  @Test
  void alarms_notifyTheTopicAndHaveADescription() {
    assertThat(alarms())
        .isNotEmpty()
        .allSatisfy(
            alarm -> {
              assertThat(alarm.required("AlarmActions")).hasSize(1);
              assertThat(alarm.required("AlarmDescription").textValue()).endsWith(".");
            });
  }

  /** The page has an entry for each alarm, and no entry for an alarm that does not exist. */
  @Test
  void alarms_equalThoseOfTheOperationsPage() throws IOException {
    assertThat(onThePage(Files.readAllLines(PAGE))).containsExactlyElementsOf(names());
  }

  /** The parser finds each name of a line, and only lines of this table. */
  @Test
  void page_isParsedByLine() {
    var page =
        List.of(
            "| `Other` | x |",
            "| alarm | what it means | what to do |",
            "|---|---|---|",
            "| `One`, `Two` | text with `Code` | x |",
            "| `Three` | x | x |",
            "",
            "| `Later` | x |");

    assertThat(onThePage(page)).containsExactly("One", "Three", "Two");
  }

  private static TreeSet<String> onThePage(List<String> page) {
    int from = page.indexOf("| alarm | what it means | what to do |") + 2;
    return page.subList(from, page.size()).stream()
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.substring(1, line.indexOf('|', 1)))
        .flatMap(cell -> NAME.matcher(cell).results())
        .map(name -> name.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the ids of the alarms in the code, without the eight characters that the CDK appends.
   */
  private static TreeSet<String> names() {
    var names = new TreeSet<String>();
    for (var resource : PROD.json("watch").required("Resources").properties()) {
      if (resource.getValue().required("Type").textValue().equals("AWS::CloudWatch::Alarm")) {
        names.add(resource.getKey().replaceFirst("[0-9A-F]{8}$", ""));
      }
    }
    return names;
  }

  /** A disabled mapping emits no metric, so missing data raises the alarm. */
  @ParameterizedTest
  @ValueSource(strings = {"CountsNotPolled", "EffectsNotPolled"})
  void alarmOfAnUnpolledLane_isRaisedByMissingData(String name) {
    var alarm = alarm(name);

    assertThat(alarm.required("TreatMissingData").textValue()).isEqualTo("breaching");
    assertThat(alarm.required("MetricName").textValue()).isEqualTo("PolledEventCount");
    assertThat(alarm.required("ComparisonOperator").textValue()).isEqualTo("LessThanThreshold");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CountsNotCalled", "EffectsNotCalled"})
  void alarmOfABlockingFilter_comparesPolledWithFilteredRecords(String name) {
    assertThat(texts(alarm(name), "Expression"))
        .containsExactly("IF(polled>=1000 AND filtered>=polled,1,0)");
  }

  private static JsonNode alarm(String name) {
    for (var resource : PROD.json("watch").required("Resources").properties()) {
      if (resource.getKey().matches(name + "[0-9A-F]{8}")) {
        return resource.getValue().required("Properties");
      }
    }
    throw new AssertionError("No alarm " + name);
  }

  /** A custom policy replaces the default one, which allows the account's alarms to publish. */
  @Test
  void alarms_mayPublish() {
    PROD.template("watch")
        .hasResourceProperties(
            "AWS::SNS::TopicPolicy",
            Map.of(
                "PolicyDocument",
                Match.objectLike(
                    Map.of(
                        "Statement",
                        Match.arrayWith(
                            List.of(
                                Match.objectLike(
                                    Map.of(
                                        "Effect",
                                        "Allow",
                                        "Action",
                                        "sns:Publish",
                                        "Principal",
                                        Map.of("Service", "cloudwatch.amazonaws.com")))))))));
  }

  /** The metric of a table does not include its indexes. */
  @Test
  void alarmsOfThrottling_includeEveryIndex() {
    var indexes = FeedTable.DECLARATION.indexes().stream().map(IndexDeclaration::name).toList();
    for (var name : List.of("ReadThrottleEvents", "WriteThrottleEvents")) {
      var alarm = alarms().stream().filter(a -> texts(a, "MetricName").contains(name)).findFirst();

      assertThat(texts(alarm.orElseThrow(), "Value")).containsAll(indexes);
    }
  }

  @Test
  void alarmOfDrift_statesThatNoStackPublishesItsMetric() {
    assertThat(
            alarms().stream()
                .filter(alarm -> alarm.path("MetricName").asText().equals("Drift"))
                .map(alarm -> alarm.required("AlarmDescription").textValue()))
        .singleElement()
        .asString()
        .contains("nothing in these stacks does that");
  }

  /**
   * The metric is not published every five minutes. An alarm that ended without a new value would
   * hide the drift.
   */
  @Test
  void alarmOfDrift_lastsUntilAnotherFigureIsPublished() {
    assertThat(alarm("Drift").required("TreatMissingData").textValue()).isEqualTo("ignore");
  }

  /**
   * An event that nothing receives stays in its queue, and does not reach the queue of rejected
   * events.
   */
  @Test
  void alarmOfWaitingEvents_usesTheQueueThatThePipeReads() {
    assertThat(alarm("WaitingEvents").at("/Dimensions/0/Value/Fn::ImportValue").textValue())
        .contains(PROD.only("data", "AWS::Pipes::Pipe").at("/Source/Fn::GetAtt/0").textValue());
  }

  @Test
  void dashboard_hasAGraphOfEveryAlarm() {
    var body = PROD.only("watch", "AWS::CloudWatch::Dashboard").toString();

    assertThat(body.split("\\\\\"title\\\\\"", -1)).hasSize(1 + alarms().size());
  }

  private static List<JsonNode> alarms() {
    return PROD.all("watch", "AWS::CloudWatch::Alarm");
  }

  private static Set<String> texts(JsonNode owner, String field) {
    return new TreeSet<>(
        new ArrayList<>(owner.findValues(field))
            .stream().filter(JsonNode::isTextual).map(JsonNode::textValue).toList());
  }
}
