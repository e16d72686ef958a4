package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.row.RowKind;
import software.amazon.awscdk.assertions.Match;

/** The alarms of a stage, and the page that explains them. */
class MonitoringStackTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "operations.md");
  private static final Pattern NAME = Pattern.compile("`([A-Za-z]+)`");
  private static final String HEAD = "| alarm | what it means | what to do |";

  /** What stays until an operator acts, and numbers that are gathered over an hour. */
  private static final Set<String> LASTING =
      Set.of(
          "CountsNotCalled",
          "DeadLetters",
          "Drift",
          "EffectsNotCalled",
          "GivenUpBatches",
          "UndeliveredBatches",
          "UntoldEvents",
          "WaitingEvents");

  @Test
  void alarms_useTheseMetrics() {
    var names = new TreeSet<String>();
    for (var alarm : ProdAlarms.all()) {
      names.addAll(ProdAlarms.texts(alarm, "MetricName"));
    }

    assertThat(names)
        .containsExactly(
            "5XXError",
            "5xx",
            "ApproximateAgeOfOldestMessage",
            "ApproximateNumberOfMessagesVisible",
            "Count",
            "DestinationDeliveryFailures",
            "Drift",
            "Errors",
            "FailedInvokeEventCount",
            "FilteredOutEventCount",
            "HealthyHostCount",
            "IteratorAge",
            "Latency",
            "MatchedEvents",
            "MemoryUtilization",
            "OnFailureDestinationDeliveredEventCount",
            "PolledEventCount",
            "ReadKeyRangeThroughputThrottleEvents",
            "ReadMaxOnDemandThroughputThrottleEvents",
            "Throttles",
            "WriteKeyRangeThroughputThrottleEvents",
            "WriteMaxOnDemandThroughputThrottleEvents",
            "WriteUnits");
  }

  @Test
  void alarms_notifyTheTopicAndHaveADescription() {
    assertThat(ProdAlarms.all())
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
    assertThat(onThePage(Files.readAllLines(PAGE)).keySet())
        .containsExactlyElementsOf(ProdAlarms.names());
  }

  /** The description names the section of the page that has the entry of the alarm. */
  @Test
  void alarms_nameTheirSectionOfTheOperationsPage() throws IOException {
    var sections = onThePage(Files.readAllLines(PAGE));

    assertThat(ProdAlarms.names())
        .allSatisfy(
            name ->
                assertThat(ProdAlarms.named(name).required("AlarmDescription").textValue())
                    .endsWith(". See docs/operations.md#%s.".formatted(sections.get(name))));
  }

  /** The parser finds each name of a line with its section, and only lines of these tables. */
  @Test
  void page_isParsedByLine() {
    var page =
        List.of(
            "| `Other` | x |",
            "### Alarms of a Part",
            "",
            "| alarm | what it means | what to do |",
            "|---|---|---|",
            "| `One`, `Two` | text with `Code` | x |",
            "",
            "### Second part",
            "| alarm | what it means | what to do |",
            "|---|---|---|",
            "| `Three` | x | x |",
            "",
            "| `Later` | x |");

    assertThat(onThePage(page))
        .containsExactly(
            Map.entry("One", "alarms-of-a-part"),
            Map.entry("Three", "second-part"),
            Map.entry("Two", "alarms-of-a-part"));
  }

  /** Returns the names of the alarms on the page, each with the anchor of its section. */
  private static TreeMap<String, String> onThePage(List<String> page) {
    var sections = new TreeMap<String, String>();
    var section = "";
    boolean inTable = false;
    for (var line : page) {
      if (line.startsWith("#")) {
        section = line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT).replace(' ', '-');
      }
      inTable = line.startsWith("|") && (inTable || line.equals(HEAD));
      if (inTable && !line.equals(HEAD)) {
        for (var name : NAME.matcher(line.substring(1, line.indexOf('|', 1))).results().toList()) {
          sections.put(name.group(1), section);
        }
      }
    }
    return sections;
  }

  /** A disabled mapping emits no metric, so missing data raises the alarm. */
  @ParameterizedTest
  @ValueSource(strings = {"CountsNotPolled", "EffectsNotPolled"})
  void alarmOfAnUnpolledLane_isRaisedByMissingData(String name) {
    var alarm = ProdAlarms.named(name);

    assertThat(alarm.required("TreatMissingData").textValue()).isEqualTo("breaching");
    assertThat(alarm.required("MetricName").textValue()).isEqualTo("PolledEventCount");
    assertThat(alarm.required("ComparisonOperator").textValue()).isEqualTo("LessThanThreshold");
  }

  /** Their metrics have a value only while a batch is given up. */
  @ParameterizedTest
  @ValueSource(strings = {"GivenUpBatches", "UndeliveredBatches"})
  void alarmOfALostBatch_lastsADay(String name) {
    assertThat(ProdAlarms.named(name).required("Period").intValue()).isEqualTo(86_400);
  }

  /** The input of a deployment decides, not the default of its stage. */
  @Test
  void alarmOfThrottling_namesTheLimitInForce() {
    var reserved = Synthesized.of("reserved", Stage.DEV, "countsConcurrency", "50");
    var shared = Synthesized.of(Stage.DEV);

    assertThat(throttling(reserved)).contains("that is reserved for it");
    assertThat(throttling(shared)).contains("of the account");
  }

  private static String throttling(Synthesized stage) {
    return stage
        .named("watch", "CountsThrottles")
        .orElseThrow()
        .required("AlarmDescription")
        .textValue();
  }

  /** One data point is noise, unless what it shows lasts until an operator acts. */
  @Test
  void alarms_needSeveralDataPoints_exceptForWhatLasts() {
    assertThat(ProdAlarms.names())
        .containsAll(LASTING)
        .allSatisfy(
            name -> {
              var alarm = ProdAlarms.named(name);
              int needed = alarm.required("DatapointsToAlarm").intValue();

              assertThat(needed)
                  .isLessThanOrEqualTo(alarm.required("EvaluationPeriods").intValue());
              if (LASTING.contains(name)) {
                assertThat(needed).isEqualTo(1);
              } else {
                assertThat(needed).isGreaterThan(1);
              }
            });
  }

  /**
   * A lane whose calls take 15 minutes has data in every third period of five minutes, and its
   * alarm needs two of them.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CountsBehind",
        "EffectsBehind",
        "CountsFarBehind",
        "EffectsFarBehind",
        "CountsErrors",
        "EffectsErrors"
      })
  void alarmOfALane_goesOffWhereCallsTakeAsLongAsTheyMay(String name) {
    var alarm = ProdAlarms.named(name);
    int periodsOfACall =
        ProdAlarms.SERVICE
                .all("stream", "AWS::Lambda::Function")
                .getFirst()
                .required("Timeout")
                .intValue()
            / alarm.required("Period").intValue();

    assertThat(alarm.required("DatapointsToAlarm").intValue() * periodsOfACall)
        .isLessThanOrEqualTo(alarm.required("EvaluationPeriods").intValue());
  }

  /** A second alarm warns while most of the day that the stream keeps is left. */
  @ParameterizedTest
  @CsvSource({"Counts, 6", "Effects, 3"})
  void lane_hasAnAlarmAtFiveMinutesAndOneAtHours(String lane, int hours) {
    var far = ProdAlarms.named(lane + "FarBehind");

    assertThat(ProdAlarms.named(lane + "Behind").required("Threshold").longValue())
        .isEqualTo(Duration.ofMinutes(5).toMillis());
    assertThat(far.required("Threshold").longValue())
        .isEqualTo(Duration.ofHours(hours).toMillis())
        .isLessThanOrEqualTo(oldest(lane).dividedBy(2).toMillis());
    // A lane that is no longer called has not caught up.
    assertThat(far.required("TreatMissingData").textValue()).isEqualTo("ignore");
    assertThat(far.required("Statistic").textValue()).isEqualTo("Maximum");
  }

  /** Returns the age of the oldest record that a lane can get: Lambda skips older ones. */
  private static Duration oldest(String lane) {
    var age =
        ProdAlarms.SERVICE.all("stream", "AWS::Lambda::EventSourceMapping").stream()
            .filter(mapping -> mapping.toString().contains(lane))
            .findFirst()
            .orElseThrow()
            .required("MaximumRecordAgeInSeconds")
            .longValue();
    return age < 0 ? Retention.STREAM : Duration.ofSeconds(age);
  }

  /**
   * A single failure of ten requests is ten percent, and a single slow one is the percentile. Where
   * few requests come and all fail, the rate is still one.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ServerErrors;IF(FILL(errors,0)>=5,100*FILL(errors,0)/requests,0)",
        "StreamErrors;IF(FILL(errors,0)>=3,100*FILL(errors,0)/requests,0)",
        "Latency;IF(requests>=100,p99,0)"
      })
  void alarmOfARate_needsEnoughFailures_andThatOfLatencyEnoughRequests(
      String name, String expression) {
    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "Expression")).containsExactly(expression);
    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "MetricName")).contains("Count");
  }

  /**
   * The latency of the gateway that holds responses. The other one streams for minutes. No stream
   * reaches the first: it sends the request to a path that the API does not have.
   */
  @Test
  void alarmOfLatency_measuresTheGatewayWithoutStreams() {
    assertThat(ProdAlarms.texts(ProdAlarms.named("Latency"), "Name")).containsExactly("ApiId");
    assertThat(ProdAlarms.texts(ProdAlarms.named("Latency"), "Stat")).containsExactly("Sum", "p99");
    assertThat(ProdAlarms.names())
        .filteredOn(name -> ProdAlarms.texts(ProdAlarms.named(name), "Name").contains("ApiName"))
        .containsExactly("StreamErrors");
    assertThat(ProdAlarms.texts(ProdAlarms.named("StreamErrors"), "MetricName"))
        .containsExactly("5XXError", "Count");
  }

  /** Without tasks there are no requests to fail, so the absence of the metric is an alarm. */
  @Test
  void alarmOfHealthyTasks_needsNoRequests() {
    var alarm = ProdAlarms.named("NoHealthyTasks");

    assertThat(alarm.required("TreatMissingData").textValue()).isEqualTo("breaching");
    assertThat(alarm.required("ComparisonOperator").textValue()).isEqualTo("LessThanThreshold");
    assertThat(alarm.required("Threshold").intValue()).isEqualTo(1);
    assertThat(alarm.required("Period").intValue()).isEqualTo(60);
  }

  @Test
  void alarmOfFewTasks_usesTheMinimumOfTheStage() {
    assertThat(ProdAlarms.named("FewHealthyTasks").required("Threshold").intValue())
        .isEqualTo(Stage.PROD.tasksMin());
    assertThat(ProdAlarms.names(Synthesized.of(Stage.DEV))).doesNotContain("FewHealthyTasks");
  }

  @Test
  void alarmOfMemory_usesTheLargestOfTheTasks() {
    assertThat(ProdAlarms.named("TaskMemory").required("Statistic").textValue())
        .isEqualTo("Maximum");
  }

  /** The page states the cost, which is 0.10 dollars a month for each metric of each alarm. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void costOfTheAlarms_equalsThatOfTheOperationsPage(Stage stage) throws IOException {
    int metrics = 0;
    var stacks = stage == Stage.DEV ? Synthesized.withFunction(stage) : Synthesized.of(stage);
    for (var part : stacks.parts()) {
      for (var alarm : stacks.all(part, "AWS::CloudWatch::Alarm")) {
        metrics += Math.max(1, alarm.findValues("MetricStat").size());
      }
    }
    var dollars = String.format(Locale.ROOT, "%.2f", metrics * 0.1);

    assertThat(Files.readString(PAGE))
        .contains(
            stage == Stage.DEV
                ? "the alarms of `dev` read %d metrics and cost %s dollars a month"
                    .formatted(metrics, dollars)
                : "those of `prod` %d and %s,".formatted(metrics, dollars));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CountsNotCalled", "EffectsNotCalled"})
  void alarmOfABlockingFilter_comparesPolledWithFilteredRecords(String name) {
    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "Expression"))
        .containsExactly("IF(FILL(likes,0)>=100 AND polled>=1000 AND filtered>=polled,1,0)");
  }

  /**
   * A stage that no one uses has thousands of records in some hours, of feed entries that expire,
   * and the filters of both lanes rightly hold all of them back. What is liked passes them.
   */
  @ParameterizedTest
  @CsvSource({"CountsNotCalled,COUNTS", "EffectsNotCalled,EFFECTS"})
  void alarmOfABlockingFilter_needsRecordsThatPassIt(String name, Lane lane) throws IOException {
    var dimensions =
        StreamSupport.stream(ProdAlarms.named(name).required("Metrics").spliterator(), false)
            .filter(metric -> metric.required("Id").textValue().equals("likes"))
            .flatMap(
                metric ->
                    StreamSupport.stream(
                        metric.at("/MetricStat/Metric/Dimensions").spliterator(), false))
            .filter(dimension -> dimension.required("Name").textValue().equals("Route"))
            .map(dimension -> dimension.required("Value").textValue())
            .toList();

    assertThat(dimensions).containsExactly(MonitoringStack.LIKES);
    assertThat(passes(lane, RowKind.LIKE, "INSERT")).isTrue();
    assertThat(passes(lane, RowKind.FEED_ENTRY, "REMOVE")).isFalse();
    assertThat(Files.readAllLines(Path.of("../../feed-api/src/test/resources/authorisation.txt")))
        .anyMatch(line -> line.startsWith(MonitoringStack.LIKES.replace("POST", "post") + " "));
  }

  private static boolean passes(Lane lane, RowKind kind, String event) {
    return Plan.rules(kind).stream()
        .anyMatch(rule -> rule.lane() == lane && rule.event().isNamed(event));
  }

  /** A partition has more than the whole table of dev may use, so no key can be hot there. */
  @Test
  void alarmsOfHotKeys_existWhereAPartitionCanBeTheLimit() {
    assertThat(ProdAlarms.names(ProdAlarms.SERVICE)).contains("HotKeyReads", "HotKeyWrites");
    assertThat(ProdAlarms.names(Synthesized.of(Stage.DEV)))
        .contains("TableMaximumReads", "TableMaximumWrites")
        .doesNotContain("HotKeyReads", "HotKeyWrites");
  }

  /** A custom policy replaces the default one, which allows the account's alarms to publish. */
  @Test
  void alarms_mayPublish() {
    ProdAlarms.SERVICE
        .template("watch")
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
  @ParameterizedTest
  @CsvSource({
    "HotKeyReads,ReadKeyRangeThroughputThrottleEvents",
    "HotKeyWrites,WriteKeyRangeThroughputThrottleEvents",
    "TableMaximumReads,ReadMaxOnDemandThroughputThrottleEvents",
    "TableMaximumWrites,WriteMaxOnDemandThroughputThrottleEvents"
  })
  void alarmsOfThrottling_haveOneCauseEachAndIncludeEveryIndex(String name, String metric) {
    var indexes = FeedTable.DECLARATION.indexes().stream().map(IndexDeclaration::name).toList();

    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "MetricName")).containsExactly(metric);
    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "Value")).containsAll(indexes);
    assertThat(ProdAlarms.named(name).findValues("MetricStat")).hasSize(1 + indexes.size());
    // A metric has no value in a period without throttling, and a sum with a missing value has
    // none.
    var each = IntStream.rangeClosed(0, indexes.size()).mapToObj("FILL(m%d,0)"::formatted).toList();
    assertThat(ProdAlarms.texts(ProdAlarms.named(name), "Expression"))
        .containsExactly(String.join("+", each));
  }

  /** So the third cause of throttling, the quota of the account, needs no alarm. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void maximumOfTheStage_isBelowTheQuotaOfAnAccount(Stage stage) {
    assertThat(stage.unitsMax()).isLessThan(40_000);
  }

  @Test
  void alarmOfDrift_statesThatNoStackPublishesItsMetric() {
    assertThat(
            ProdAlarms.all().stream()
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
    assertThat(ProdAlarms.named("Drift").required("TreatMissingData").textValue())
        .isEqualTo("ignore");
  }
}
