package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import social.feed.streams.LanePatterns;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.plan.Lane;
import software.amazon.awscdk.assertions.Match;

class StreamStackTest {
  private static final String MAPPING = "AWS::Lambda::EventSourceMapping";
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);

  @Test
  void function_runsOnJava25AndArmWithSnapshots() {
    PROD.template("stream")
        .hasResourceProperties(
            "AWS::Lambda::Function",
            Map.of(
                "Runtime",
                "java25",
                "Architectures",
                List.of("arm64"),
                "SnapStart",
                Map.of("ApplyOn", "PublishedVersions"),
                "Handler",
                MultiplexerFunction.class.getName()));
  }

  /** Snapshots belong to versions, so the aliases point to a version. */
  @Test
  void mappings_invokeAliasesOfVersionsOfSeparateFunctions() {
    assertThat(PROD.all("stream", MAPPING))
        .extracting(mapping -> mapping.required("FunctionName").required("Ref").textValue())
        .hasSize(2)
        .doesNotHaveDuplicates()
        .allSatisfy(
            alias ->
                assertThat(
                        PROD.json("stream")
                            .required("Resources")
                            .required(alias)
                            .required("Type")
                            .textValue())
                    .isEqualTo("AWS::Lambda::Alias"));
    assertThat(PROD.all("stream", "AWS::Lambda::Alias"))
        .hasSize(2)
        .extracting(
            alias -> alias.required("Name").textValue(),
            alias ->
                alias.at("/FunctionVersion/Fn::GetAtt/0").textValue().replaceFirst("Version.*", ""))
        .containsExactlyInAnyOrder(
            tuple(Lane.COUNTS.alias(), "CountsFunctionCurrent"),
            tuple(Lane.EFFECTS.alias(), "EffectsFunctionCurrent"));
  }

  /** Effects may take all the concurrency of the account except what is reserved for counts. */
  @Test
  void concurrency_isReservedForCounts_inProduction() {
    assertThat(reserved(PROD)).containsExactlyInAnyOrder(100, 0);
    assertThat(reserved(Synthesized.of(Stage.DEV))).containsExactly(0, 0);
  }

  private static List<Integer> reserved(Synthesized stage) {
    return stage.all("stream", "AWS::Lambda::Function").stream()
        .map(function -> function.path("ReservedConcurrentExecutions").asInt())
        .toList();
  }

  /** A rollback needs the previous version, and no version of a release that was taken back. */
  @Test
  void version_isKeptAtTheNextDeployment() {
    PROD.template("stream")
        .hasResource("AWS::Lambda::Version", Map.of("DeletionPolicy", "RetainExceptOnCreate"));
  }

  /**
   * A version reads the table before its snapshot. Lambda checks the role for each mapping, which
   * depends on the version.
   */
  @Test
  void functionAndVersion_dependOnTheRights() {
    var dependent = new ArrayList<String>();
    for (var resource : PROD.json("stream").required("Resources")) {
      var type = resource.required("Type").textValue();
      if (resource.path("DependsOn").toString().contains("\"Rights")) {
        dependent.add(type);
      }
    }

    assertThat(dependent).contains("AWS::Lambda::Function", "AWS::Lambda::Version");
  }

  @Test
  void mappings_startAtTheOldestRecordAndReportPartialFailures() {
    assertThat(PROD.all("stream", MAPPING))
        .hasSize(2)
        .allSatisfy(
            mapping -> {
              assertThat(mapping.required("StartingPosition").textValue())
                  .isEqualTo("TRIM_HORIZON");
              assertThat(mapping.required("FunctionResponseTypes").required(0).textValue())
                  .isEqualTo("ReportBatchItemFailures");
            });
  }

  /** A lane that is not invoked has no iterator age, so its mapping must publish metrics. */
  @Test
  void mappings_publishEventCounts() {
    assertThat(PROD.all("stream", MAPPING))
        .extracting(mapping -> mapping.at("/MetricsConfig/Metrics").toString())
        .containsExactly("[\"EventCount\"]", "[\"EventCount\"]");
  }

  /** A record that is skipped, or handled concurrently with another, makes counts wrong. */
  @Test
  void counts_areDeliveredInWindowsSequentiallyAndWithoutLoss() {
    PROD.template("stream")
        .hasResourceProperties(
            MAPPING,
            Map.of(
                "TumblingWindowInSeconds",
                10,
                "MaximumBatchingWindowInSeconds",
                1,
                "ParallelizationFactor",
                1,
                "BisectBatchOnFunctionError",
                false,
                "MaximumRetryAttempts",
                -1,
                "MaximumRecordAgeInSeconds",
                -1,
                "DestinationConfig",
                Match.absent()));
  }

  @Test
  void effects_areDeliveredConcurrentlyWithFailuresInTheBucket() {
    PROD.template("stream")
        .hasResourceProperties(
            MAPPING,
            Map.of(
                "TumblingWindowInSeconds",
                Match.absent(),
                "ParallelizationFactor",
                10,
                "BisectBatchOnFunctionError",
                true,
                "MaximumRetryAttempts",
                100,
                "MaximumRecordAgeInSeconds",
                6 * 60 * 60,
                "DestinationConfig",
                Match.objectLike(
                    Map.of(
                        "OnFailure",
                        Map.of(
                            "Destination",
                            Map.of(
                                "Fn::ImportValue",
                                Match.stringLikeRegexp(".*FailedBatches.*Arn.*")))))));
  }

  @Test
  void filters_equalThePatternsOfTheLanes() throws JsonProcessingException {
    var counts = windowed(true);
    var effects = windowed(false);

    assertThat(filters(counts)).isEqualTo(patterns(Lane.COUNTS));
    assertThat(filters(effects)).isEqualTo(patterns(Lane.EFFECTS));
  }

  @Test
  void deadLetters_ofTheFunction_areSentToTheQueueOfTheDataStack() {
    PROD.template("stream")
        .hasResourceProperties(
            "AWS::Lambda::Function",
            Map.of(
                "Environment",
                Map.of(
                    "Variables",
                    Match.objectLike(
                        Map.of(
                            "FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL",
                            Map.of(
                                "Fn::ImportValue", Match.stringLikeRegexp(".*DeadLetters.*")))))));
  }

  /** Without a right, each record that needs it is refused until it is given up. */
  @ParameterizedTest
  @CsvSource({
    "sqs:SendMessage,DeadLetters",
    "sqs:SendMessage,Events",
    "s3:PutObject,FailedBatches",
    "s3:ListBucket,FailedBatches"
  })
  void rights_areOnTheQueuesAndTheBucketOfTheDataStack(String action, String resource) {
    var statements = PROD.only("stream", "AWS::IAM::ManagedPolicy").at("/PolicyDocument/Statement");

    assertThat(statements)
        .filteredOn(
            statement -> statement.required("Action").toString().contains("\"" + action + "\""))
        .extracting(statement -> statement.required("Resource").toString())
        .anyMatch(on -> on.matches(".*FnGetAtt" + resource + "[0-9A-F]{8}Arn.*"));
  }

  /** A tenth of the stage's units each; those of a sweep are limited. */
  @ParameterizedTest
  @CsvSource({"DEV,50,50", "PROD,500,2000"})
  void erasures_haveTheUnitsOfTheStage(Stage stage, String sweep, String removals) {
    assertThat(Synthesized.of(stage).all("stream", "AWS::Lambda::Function"))
        .hasSize(2)
        .extracting(function -> function.at("/Environment/Variables"))
        .allSatisfy(
            variables -> {
              assertThat(variables.required("FEED_MULTIPLEXER_ERASURE_SWEEP_UNITS").textValue())
                  .isEqualTo(sweep);
              assertThat(variables.required("FEED_MULTIPLEXER_ERASURE_REMOVAL_UNITS").textValue())
                  .isEqualTo(removals);
            });
  }

  private static JsonNode windowed(boolean windowed) {
    return PROD.all("stream", MAPPING).stream()
        .filter(mapping -> mapping.has("TumblingWindowInSeconds") == windowed)
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> filters(JsonNode mapping) throws JsonProcessingException {
    var json = new ObjectMapper();
    var filters = mapping.required("FilterCriteria").required("Filters");
    var texts =
        StreamSupport.stream(filters.spliterator(), false)
            .map(filter -> filter.required("Pattern").textValue())
            .toList();
    return List.of(
        json.readTree(texts.get(0)), json.readTree(texts.get(1)), json.readTree(texts.get(2)));
  }

  private static List<JsonNode> patterns(Lane lane) {
    return LanePatterns.of(lane).stream()
        .<JsonNode>map(pattern -> new ObjectMapper().valueToTree(pattern))
        .toList();
  }
}
