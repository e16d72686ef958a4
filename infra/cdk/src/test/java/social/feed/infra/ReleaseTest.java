package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a release that causes errors ends by itself. */
class ReleaseTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);

  @Test
  void deploymentOfTasks_isRolledBackByItsAlarm() {
    var alarms = PROD.only("api", "AWS::ECS::Service").at("/DeploymentConfiguration/Alarms");
    var alarm = PROD.only("api", "AWS::CloudWatch::Alarm");

    assertThat(alarms.required("Enable").booleanValue()).isTrue();
    assertThat(alarms.required("Rollback").booleanValue()).isTrue();
    assertThat(alarms.required("AlarmNames")).hasSize(1);
    assertThat(alarms.required("AlarmNames").required(0)).isEqualTo(alarm.required("AlarmName"));
    assertThat(alarm.findValues("Expression"))
        .extracting(JsonNode::textValue)
        .containsExactly("IF(FILL(errors,0)>=3,100*FILL(errors,0)/requests,0)");
    assertThat(alarm.findValues("MetricName"))
        .extracting(JsonNode::textValue)
        .containsExactlyInAnyOrder("HTTPCode_Target_5XX_Count", "RequestCount");
  }

  /** ECS refuses a deployment with an alarm that does not exist. */
  @Test
  void service_isCreatedAfterItsAlarm() {
    var dependencies = resource("api", "AWS::ECS::Service").getValue().required("DependsOn");

    assertThat(StreamSupport.stream(dependencies.spliterator(), false).map(JsonNode::textValue))
        .contains(resource("api", "AWS::CloudWatch::Alarm").getKey());
  }

  /** Errors of one version may be those of the other, but a release that causes none passes. */
  @ParameterizedTest
  @CsvSource({
    "DEV,CodeDeployDefault.LambdaAllAtOnce",
    "PROD,CodeDeployDefault.LambdaCanary10Percent5Minutes"
  })
  void lanes_shiftTheirAlias(Stage stage, String configuration) {
    var stacks = Synthesized.of(stage);
    var groups = stacks.all("stream", "AWS::CodeDeploy::DeploymentGroup");

    assertThat(groups)
        .hasSize(2)
        .allSatisfy(
            group -> {
              assertThat(group.required("DeploymentConfigName").textValue())
                  .isEqualTo(configuration);
              assertThat(group.at("/AutoRollbackConfiguration/Events"))
                  .extracting(JsonNode::textValue)
                  .containsExactlyInAnyOrder(
                      "DEPLOYMENT_FAILURE",
                      "DEPLOYMENT_STOP_ON_REQUEST",
                      "DEPLOYMENT_STOP_ON_ALARM");
              assertThat(group.at("/AlarmConfiguration/Enabled").booleanValue()).isTrue();
              assertThat(group.at("/AlarmConfiguration/Alarms")).hasSize(2);
            });
    assertThat(
            StreamSupport.stream(stacks.json("stream").required("Resources").spliterator(), false)
                .filter(it -> it.required("Type").textValue().equals("AWS::Lambda::Alias")))
        .hasSize(2)
        .allSatisfy(
            alias ->
                assertThat(alias.at("/UpdatePolicy/CodeDeployLambdaAliasUpdate").size())
                    .isPositive());
  }

  /** Messages that wait already must not stop the release that repairs them. */
  @Test
  void deadLetters_ofARelease_areCountedAsTheyArrive() {
    assertThat(PROD.all("stream", "AWS::CloudWatch::Alarm"))
        .extracting(alarm -> alarm.required("MetricName").textValue())
        .containsExactlyInAnyOrder("Errors", "Errors", "DeadLetters", "DeadLetters");
  }

  /** The version to be repaired gets nine tenths of the calls, and goes on making dead letters. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void repair_isNotEndedByDeadLetters(Stage stage) {
    var repair = Synthesized.of("repair-" + stage.label(), stage, Inputs.REPAIR, "true");

    assertThat(repair.all("stream", "AWS::CloudWatch::Alarm"))
        .extracting(alarm -> alarm.required("MetricName").textValue())
        .containsExactly("Errors", "Errors");
    assertThat(repair.all("stream", "AWS::CodeDeploy::DeploymentGroup"))
        .hasSize(2)
        .allSatisfy(group -> assertThat(group.at("/AlarmConfiguration/Alarms")).hasSize(1));
  }

  /** An old version that fails must not stop the release that repairs it. */
  @Test
  void errors_ofARelease_areThoseOfTheNewVersion() {
    assertThat(PROD.all("stream", "AWS::CloudWatch::Alarm"))
        .filteredOn(alarm -> alarm.required("MetricName").textValue().equals("Errors"))
        .allSatisfy(
            alarm ->
                assertThat(alarm.required("Dimensions"))
                    .extracting(dimension -> dimension.required("Name").textValue())
                    .containsExactlyInAnyOrder("FunctionName", "Resource", "ExecutedVersion"));
    var aliases = PROD.all("stream", "AWS::Lambda::Alias");
    assertThat(aliases)
        .hasSize(2)
        .allSatisfy(
            alias ->
                assertThat(PROD.all("stream", "AWS::CloudWatch::Alarm"))
                    .anyMatch(
                        alarm ->
                            alarm
                                .path("Dimensions")
                                .findValues("Value")
                                .contains(alias.required("FunctionVersion"))));
    assertThat(PROD.json("stream").toString()).contains("\":counts\"", "\":effects\"");
  }

  /** A failed release shows itself; its alarms wake no one. */
  @ParameterizedTest
  @EnumSource(Stage.class)
  void alarmsOfReleases_notifyNoOne(Stage stage) {
    for (var part : List.of("api", "stream")) {
      assertThat(Synthesized.of(stage).all(part, "AWS::CloudWatch::Alarm"))
          .isNotEmpty()
          .allSatisfy(
              alarm -> {
                assertThat(alarm.has("AlarmActions")).isFalse();
                assertThat(alarm.required("TreatMissingData").textValue())
                    .isEqualTo("notBreaching");
              });
    }
  }

  private static Map.Entry<String, JsonNode> resource(String part, String type) {
    return PROD.json(part).required("Resources").properties().stream()
        .filter(it -> it.getValue().required("Type").textValue().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
