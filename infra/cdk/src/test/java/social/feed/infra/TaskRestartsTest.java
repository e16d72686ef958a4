package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Template;
import software.amazon.event.ruler.Machine;

/** Tests the rule that counts failed tasks in the engine for patterns that AWS publishes. */
class TaskRestartsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATTERN = pattern();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "EssentialContainerExited;Essential container in task exited",
        "TaskFailedToStart;CannotPullContainerError: pull image manifest has been retried 1"
            + " time(s)",
        "ServiceSchedulerInitiated;Task failed ELB health checks in (target-group arn:aws:x)",
        "ServiceSchedulerInitiated;Task failed container health checks"
      })
  void taskThatFailed_isCounted(String stopCode, String reason) throws Exception {
    assertThat(matches("service:api", "STOPPED", stopCode, reason)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ServiceSchedulerInitiated;Scaling activity initiated by (deployment ecs-svc/1)",
        "ServiceSchedulerInitiated;ECS is performing maintenance on the underlying infrastructure",
        "UserInitiated;Task stopped by user"
      })
  void taskThatIsStopped_isNotCounted(String stopCode, String reason) throws Exception {
    assertThat(matches("service:api", "STOPPED", stopCode, reason)).isFalse();
  }

  /** A task passes several states with the same reason. */
  @Test
  void task_isCountedOnceAndOfThisServiceOnly() throws Exception {
    var code = "EssentialContainerExited";

    assertThat(matches("service:api", "DEPROVISIONING", code, "x")).isFalse();
    assertThat(matches("service:other", "STOPPED", code, "x")).isFalse();
  }

  private static boolean matches(String group, String status, String stopCode, String reason)
      throws Exception {
    var engine = Machine.builder().build();
    engine.addRule("rule", PATTERN);
    var event =
        Map.of(
            "source",
            "aws.ecs",
            "detail-type",
            "ECS Task State Change",
            "detail",
            Map.of(
                "group", group,
                "lastStatus", status,
                "stopCode", stopCode,
                "stoppedReason", reason));
    return !engine.rulesForJSONEvent(JSON.writeValueAsString(event)).isEmpty();
  }

  private static String pattern() {
    var stack = new Stack(new App(), "other");
    new TaskRestarts(stack, "api");
    var rules = Template.fromStack(stack).findResources("AWS::Events::Rule").values();
    var properties = JSON.valueToTree(rules.iterator().next()).required("Properties");
    try {
      return JSON.writeValueAsString(properties.required("EventPattern"));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
