package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.streams.LanePatterns;
import social.feed.streams.lambda.SinkFunction;
import social.feed.streams.plan.Lane;

/** The queue and the function of events for other systems, which exist only by their inputs. */
class SinksTest {
  private static final String SECRET =
      "arn:aws:secretsmanager:eu-central-1:123456789012:secret:kafka-AbCdEf";
  private static final String[] ALL = {
    SinkInputs.EVENTS,
    SinkInputs.EVENTBRIDGE,
    SinkInputs.KAFKA_BOOTSTRAP,
    "one.example.com:9094,two.example.com:9094",
    SinkInputs.KAFKA_TOPIC,
    "feed.all",
    SinkInputs.KAFKA_SECRET,
    SECRET,
    SinkInputs.PRIVATE_EVENTS,
    "notification.created",
    SinkInputs.WEBHOOKS,
    SinkInputs.TABLE
  };

  /** Returns inputs with all sinks. */
  static Inputs inputs(Stage stage) throws IOException {
    return StandIns.inputs(stage, ALL);
  }

  /** Returns the templates of an API that runs as a function, with all sinks. */
  static Synthesized stacks(String folder, Stage stage) throws IOException {
    return Synthesized.of(
        folder,
        stage,
        Stream.concat(Stream.of(ALL), Stream.of(ApiInputs.API, ApiKind.FUNCTION.label()))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void stacks_withoutTheInputs_haveNoSinks(Stage stage) throws IOException {
    for (var stacks : List.of(Synthesized.of(stage), Synthesized.withFunction(stage))) {
      for (var part : stacks.parts()) {
        assertThat(stacks.json(part).toString().toLowerCase(Locale.ROOT))
            .doesNotContain("sinks", "kafka", "feed_webhooks");
      }
      assertThat(patterns(stacks, Lane.EFFECTS)).isEqualTo(written(LanePatterns.of(Lane.EFFECTS)));
    }
  }

  @Test
  void stacks_withTheInputs_publishBehindAQueue() throws IOException {
    var stacks = stacks("sinks", Stage.PROD);

    var function = sinkFunction(stacks);
    assertThat(function.required("Timeout").intValue()).isEqualTo(120);
    assertThat(function.at("/Environment/Variables/FEED_SINKS_KAFKA_BROKERS").textValue())
        .isEqualTo("one.example.com:9094,two.example.com:9094");
    assertThat(function.at("/Environment/Variables/FEED_SINKS_KAFKA_TOPIC").textValue())
        .isEqualTo("feed.all");
    assertThat(function.at("/Environment/Variables/FEED_SINKS_KAFKA_SECRET_ARN").textValue())
        .isEqualTo(SECRET);
    assertThat(function.at("/Environment/Variables/FEED_SINKS_PRIVATE_EVENTS").textValue())
        .isEqualTo("notification.created");
    var queue =
        stacks.all("data", "AWS::SQS::Queue").stream()
            .filter(one -> one.has("VisibilityTimeout"))
            .toList();
    assertThat(queue)
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.required("VisibilityTimeout").intValue()).isEqualTo(6 * 120);
              assertThat(one.required("SqsManagedSseEnabled").booleanValue()).isTrue();
              assertThat(one.at("/RedrivePolicy/deadLetterTargetArn/Fn::GetAtt/0").textValue())
                  .startsWith("DeadLetters");
              // Four hours, for a message that the function cannot even put back.
              assertThat(one.at("/RedrivePolicy/maxReceiveCount").intValue()).isEqualTo(20);
            });
    assertThat(stacks.all("stream", "AWS::Lambda::EventSourceMapping"))
        .filteredOn(mapping -> mapping.has("ScalingConfig"))
        .singleElement()
        .satisfies(
            mapping -> {
              assertThat(mapping.required("FunctionResponseTypes").required(0).textValue())
                  .isEqualTo("ReportBatchItemFailures");
              assertThat(mapping.at("/ScalingConfig/MaximumConcurrency").intValue()).isEqualTo(10);
            });
  }

  /**
   * By default Lambda counts how often a message has come back to the function that sends it again,
   * and ends that after some sixteen times. That is some two hours in place of a day. Only this
   * function has such a loop: the lanes and the API send to no queue that calls them.
   */
  @Test
  void function_maySendAMessageAgainForADay_andNoOtherMay() throws IOException {
    var stacks = stacks("sinks", Stage.PROD);
    var others = new ArrayList<>(stacks.all("stream", "AWS::Lambda::Function"));
    others.addAll(stacks.all("api", "AWS::Lambda::Function"));
    var function = sinkFunction(stacks);
    others.remove(function);

    assertThat(function.path("RecursiveLoop").asText()).isEqualTo("Allow");
    assertThat(others)
        .hasSize(3)
        .allSatisfy(other -> assertThat(other.has("RecursiveLoop")).isFalse());
  }

  /** Both lanes have the same variables, and the effects lane gets what events come from. */
  @Test
  void lanes_withTheInputs_writeToTheQueue() throws IOException {
    var stacks = stacks("sinks", Stage.PROD);

    assertThat(
            stacks.all("stream", "AWS::Lambda::Function").stream()
                .map(function -> function.required("Environment"))
                .distinct())
        .hasSize(1);
    assertThat(patterns(stacks, Lane.EFFECTS))
        .isEqualTo(written(LanePatterns.withEvents(Lane.EFFECTS)));
    assertThat(patterns(stacks, Lane.COUNTS)).isEqualTo(written(LanePatterns.of(Lane.COUNTS)));
  }

  /** Its rights on the table are compared with its code elsewhere. */
  @Test
  void function_mayOnlyPublish() throws IOException {
    var stacks = stacks("sinks", Stage.PROD);

    assertThat(actions(stacks, "publishes events"))
        .containsExactly(
            "dynamodb:BatchGetItem",
            "dynamodb:GetItem",
            "dynamodb:PutItem",
            "dynamodb:Query",
            "events:PutEvents",
            "logs:CreateLogStream",
            "logs:PutLogEvents",
            "secretsmanager:GetSecretValue",
            "sqs:DeleteMessage",
            "sqs:GetQueueAttributes",
            "sqs:ReceiveMessage",
            "sqs:SendMessage");
    var kafkaOnly =
        Synthesized.of(
            "sinks-kafka", Stage.DEV, SinkInputs.KAFKA_BOOTSTRAP, "broker.example.com:9094");
    assertThat(actions(kafkaOnly, "publishes events"))
        .doesNotContain("events:PutEvents", "secretsmanager:GetSecretValue", "dynamodb:PutItem");
    assertThat(sinkFunction(kafkaOnly).at("/Environment/Variables").has("FEED_SINKS_EVENT_BUS"))
        .isFalse();
  }

  /** API and functions must agree, or operators would create webhooks that no one calls. */
  @ParameterizedTest
  @CsvSource({"function,AWS::Lambda::Function", "service,AWS::ECS::TaskDefinition"})
  void webhooks_areOn_inTheApiAndInTheFunctions(String api, String type) throws IOException {
    var stacks =
        Synthesized.of(
            "webhooks-" + api,
            Stage.DEV,
            SinkInputs.WEBHOOKS,
            SinkInputs.TABLE,
            ApiInputs.API,
            api);

    assertThat(stacks.only("api", type).toString()).contains("FEED_WEBHOOKS_ENABLED");
    assertThat(stacks.all("stream", "AWS::Lambda::Function"))
        .hasSize(3)
        .allSatisfy(
            function ->
                assertThat(function.at("/Environment/Variables/FEED_SINKS_WEBHOOKS").textValue())
                    .isEqualTo("true"));
    assertThat(sinkFunction(stacks).at("/Environment/Variables").has("FEED_SINKS_EVENT_BUS"))
        .isFalse();
    var other =
        Synthesized.of(
            "events-" + api, Stage.DEV, SinkInputs.EVENTS, SinkInputs.EVENTBRIDGE, "api", api);
    assertThat(other.json("api").toString() + other.json("stream"))
        .doesNotContain("FEED_WEBHOOKS", "FEED_SINKS_WEBHOOKS", "WEBHOOK#");
  }

  @Test
  void function_mayWriteInThePartitionsOfWebhooksOnly() throws IOException {
    var policy = policy(stacks("sinks", Stage.PROD), "publishes events");

    assertThat(policy.at("/PolicyDocument/Statement"))
        .filteredOn(statement -> statement.required("Action").toString().contains("PutItem"))
        .singleElement()
        .satisfies(
            statement -> {
              assertThat(statement.required("Action").textValue()).isEqualTo("dynamodb:PutItem");
              assertThat(
                      statement
                          .at("/Condition/ForAllValues:StringLike/dynamodb:LeadingKeys")
                          .toString())
                  .isEqualTo("[\"WEBHOOK#*\"]");
              assertThat(statement.at("/Condition/Null/dynamodb:LeadingKeys").asText())
                  .isEqualTo("false");
            });
  }

  @Test
  void alarms_ofSinks_existWithThem() throws IOException {
    var names = new TreeSet<String>();
    stacks("sinks", Stage.PROD)
        .json("watch")
        .required("Resources")
        .properties()
        .forEach(resource -> names.add(resource.getKey()));

    assertThat(names)
        .anyMatch(name -> name.startsWith("SinkFails"))
        .anyMatch(name -> name.startsWith("SinksWaiting"))
        .anyMatch(name -> name.startsWith("SinkErrors"));
    assertThat(Files.readString(Path.of("..", "..", "docs", "operations.md")))
        .contains(
            "### Alarms of events for other systems",
            "`SinkFails`",
            "`SinksWaiting`",
            "`SinkErrors`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "events|kafka|events must be none or eventbridge",
        "webhooks|true|webhooks must be none or table",
        "kafkaBootstrap|broker|kafkaBootstrap must be HOST:PORT",
        "kafkaBootstrap|user:secret@broker:9092|kafkaBootstrap must be HOST:PORT",
        "kafkaTopic|feed|need kafkaBootstrap",
        "kafkaSecret|secret|kafkaSecret must be the ARN",
        "privateEvents|post.created|account.suspicious, notification.created, not post.created",
        "privateEvents|notification.created|privateEvents needs events or kafkaBootstrap"
      })
  void input_thatIsNone_isRejected(String input, String value, String message) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.DEV, input, value))
        .withMessageContaining(message);
  }

  private static JsonNode sinkFunction(Synthesized stacks) {
    return stacks.all("stream", "AWS::Lambda::Function").stream()
        .filter(one -> one.required("Handler").textValue().equals(SinkFunction.class.getName()))
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> patterns(Synthesized stacks, Lane lane) throws IOException {
    boolean isWindowed = lane == Lane.COUNTS;
    var mapping =
        stacks.all("stream", "AWS::Lambda::EventSourceMapping").stream()
            .filter(one -> one.has("StartingPosition"))
            .filter(one -> one.has("TumblingWindowInSeconds") == isWindowed)
            .findFirst()
            .orElseThrow();
    var patterns = new ArrayList<JsonNode>();
    for (var filter : mapping.required("FilterCriteria").required("Filters")) {
      patterns.add(new ObjectMapper().readTree(filter.required("Pattern").textValue()));
    }
    return patterns;
  }

  private static List<JsonNode> written(List<? extends Object> patterns) throws IOException {
    var written = new ArrayList<JsonNode>();
    for (var pattern : patterns) {
      written.add(new ObjectMapper().readTree(new ObjectMapper().writeValueAsString(pattern)));
    }
    return written;
  }

  private static JsonNode policy(Synthesized stacks, String description) {
    return stacks.all("stream", "AWS::IAM::ManagedPolicy").stream()
        .filter(one -> one.required("Description").textValue().contains(description))
        .findFirst()
        .orElseThrow();
  }

  private static TreeSet<String> actions(Synthesized stacks, String description) {
    var actions = new TreeSet<String>();
    for (var statement : policy(stacks, description).at("/PolicyDocument/Statement")) {
      assertThat(statement.required("Resource").toString()).doesNotContain("\"*\"");
      var action = statement.required("Action");
      if (action.isTextual()) {
        actions.add(action.textValue());
      } else {
        action.forEach(one -> actions.add(one.textValue()));
      }
    }
    return actions;
  }
}
