package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awscdk.assertions.Match;

class DataStackTest {
  private static final List<String> HOLDS_DATA =
      List.of(
          "AWS::DynamoDB::Table",
          "AWS::SQS::Queue",
          "AWS::S3::Bucket",
          "AWS::Cognito::UserPool",
          "AWS::SecretsManager::Secret",
          "AWS::Logs::LogGroup");

  /** CloudFormation cannot delete them, not even after a failed first deployment. */
  private static final List<String> PROTECTED =
      List.of("AWS::DynamoDB::Table", "AWS::Cognito::UserPool");

  @ParameterizedTest
  @CsvSource({"DEV,Delete,500", "PROD,Retain,20000"})
  void table_hasRetentionAndCapacityOfTheStage(Stage stage, String policy, int units) {
    var bound = Map.of("MaxReadRequestUnits", units, "MaxWriteRequestUnits", units);
    var data = Synthesized.of(stage);

    data.template("data")
        .hasResource(
            "AWS::DynamoDB::Table",
            Map.of(
                "DeletionPolicy",
                policy,
                "UpdateReplacePolicy",
                policy,
                "Properties",
                Match.objectLike(Map.of("OnDemandThroughput", bound))));
    assertThat(data.only("data", "AWS::DynamoDB::Table").required("GlobalSecondaryIndexes"))
        .isNotEmpty()
        .allSatisfy(
            index ->
                assertThat(
                        index
                            .required("OnDemandThroughput")
                            .required("MaxWriteRequestUnits")
                            .intValue())
                    .isEqualTo(units));
  }

  /**
   * Data that are deleted with the stack cannot be recovered. What a failed first deployment leaves
   * behind stands in the way of the next.
   */
  @Test
  void prod_keepsAllResourcesWithData() {
    for (var part : Synthesized.of(Stage.PROD).parts()) {
      for (var resource : Synthesized.of(Stage.PROD).json(part).required("Resources")) {
        var type = resource.required("Type").textValue();
        if (HOLDS_DATA.contains(type)) {
          var policy = PROTECTED.contains(type) ? "Retain" : "RetainExceptOnCreate";
          assertThat(resource.path("DeletionPolicy").textValue()).as(type).isEqualTo(policy);
          assertThat(resource.path("UpdateReplacePolicy").textValue()).as(type).isEqualTo("Retain");
        }
      }
    }
  }

  @Test
  void deadLetters_areKeptForTheMaximumOfSqs() {
    var queues = Synthesized.of(Stage.PROD).all("data", "AWS::SQS::Queue");

    assertThat(queues).hasSize(3);
    assertThat(queues)
        .allSatisfy(
            queue ->
                assertThat(queue.required("MessageRetentionPeriod").intValue())
                    .isEqualTo(14 * 24 * 60 * 60));
  }

  @Test
  void events_thatTheBusRejects_areKeptInAQueue() {
    Synthesized.of(Stage.PROD)
        .template("data")
        .hasResourceProperties(
            "AWS::SQS::Queue",
            Map.of("RedrivePolicy", Match.objectLike(Map.of("maxReceiveCount", 5))));
  }

  /**
   * Batches have rows of members, and access logs their addresses, also after an erasure. The marks
   * that make a replay safe end after a month. S3 counts to the end of the last day.
   */
  @ParameterizedTest
  @CsvSource({"DEV,FailedBatches,13", "PROD,FailedBatches,13", "DEV,Logs,90", "PROD,Logs,90"})
  void batchesAndAccessLogs_end(Stage stage, String id, int days) {
    var bucket = Synthesized.of(stage).named("data", id).orElseThrow();

    assertThat(bucket.has("VersioningConfiguration")).isFalse();
    assertThat(bucket.at("/LifecycleConfiguration/Rules"))
        .singleElement()
        .asString()
        .isEqualTo("{\"ExpirationInDays\":%d,\"Status\":\"Enabled\"}".formatted(days));
  }

  /** Lines name accounts. A log without a retention keeps them all. */
  @ParameterizedTest
  @CsvSource({"DEV,7", "PROD,90"})
  void logs_endAfterTheDaysOfTheStage(Stage stage, int days) {
    for (var stacks : List.of(Synthesized.of(stage), Synthesized.withFunction(stage))) {
      assertThat(stacks.parts())
          .flatMap(part -> stacks.all(part, "AWS::Logs::LogGroup"))
          .hasSizeGreaterThan(2)
          .allSatisfy(
              log -> assertThat(log.required("RetentionInDays").intValue()).isEqualTo(days));
    }
  }

  @Test
  void pipe_forwardsCelebrityEventsToTheBus() {
    var pipe = Synthesized.of(Stage.PROD).only("data", "AWS::Pipes::Pipe");
    var target = pipe.required("TargetParameters");

    assertThat(target.required("InputTemplate").textValue()).isEqualTo("<$.body>");
    assertThat(target.required("EventBridgeEventBusParameters").required("DetailType").textValue())
        .isEqualTo("CelebrityFlagChanged");
  }

  @ParameterizedTest
  @EnumSource(Stage.class)
  void resources_haveTagsForStageAndApplication(Stage stage) {
    var tags =
        StreamSupport.stream(
                Synthesized.of(stage)
                    .only("data", "AWS::DynamoDB::Table")
                    .required("Tags")
                    .spliterator(),
                false)
            .map(tag -> tag.required("Key").textValue() + "=" + tag.required("Value").textValue())
            .toList();

    assertThat(tags).containsExactly("application=feed", "stage=" + stage.label());
  }

  /**
   * The deployer's account is not in the template. The one exception is AWS's account that writes
   * load balancer logs.
   */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void templates_containNoAccount(Stage stage) {
    var stacks = Synthesized.of(stage);
    for (var part : stacks.parts()) {
      assertThat(stacks.json(part).toString().replace("054676820928", ""))
          .doesNotContainPattern("(?<![0-9A-Fa-f])[0-9]{12}(?![0-9A-Fa-f])");
    }
  }
}
