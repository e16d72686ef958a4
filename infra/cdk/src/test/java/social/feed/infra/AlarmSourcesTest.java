package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which function, mapping, queue or task each alarm is about. One of another would be silent. */
class AlarmSourcesTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);

  private static JsonNode alarm(String name) {
    return PROD.named("watch", name).orElseThrow();
  }

  private static String parameter(JsonNode reference) {
    return PROD.json("watch")
        .at("/Parameters/%s/Default".formatted(reference.required("Ref").textValue()))
        .textValue();
  }

  /** The metrics of both lanes have the same names. */
  @ParameterizedTest
  @CsvSource({
    "CountsBehind,Counts",
    "CountsFarBehind,Counts",
    "CountsErrors,Counts",
    "CountsThrottles,Counts",
    "EffectsBehind,Effects",
    "EffectsFarBehind,Effects",
    "EffectsErrors,Effects",
    "EffectsThrottles,Effects",
    "UndeliveredBatches,Effects"
  })
  void alarmOfAFunction_readsThatOfItsLane(String name, String lane) {
    var dimension = alarm(name).required("Dimensions");
    assertThat(dimension).hasSize(1);
    assertThat(dimension.at("/0/Name").textValue()).isEqualTo("FunctionName");
    assertThat(dimension.at("/0/Value/Fn::ImportValue").textValue()).contains(lane + "Function");
  }

  @ParameterizedTest
  @CsvSource({
    "CountsNotPolled,counts-mapping",
    "CountsNotCalled,counts-mapping",
    "CountsRefused,counts-mapping",
    "EffectsNotPolled,effects-mapping",
    "EffectsNotCalled,effects-mapping",
    "EffectsRefused,effects-mapping",
    "GivenUpBatches,effects-mapping"
  })
  void alarmOfAMapping_readsThatOfItsLane(String name, String mapping) {
    assertThat(alarm(name).findValues("Dimensions"))
        // The alarms of a filter also read the likes, which are no metric of a mapping.
        .filteredOn(dimensions -> !dimensions.at("/0/Name").textValue().equals("Route"))
        .isNotEmpty()
        .allSatisfy(
            dimensions -> {
              assertThat(dimensions).hasSize(1);
              assertThat(dimensions.at("/0/Name").textValue()).isEqualTo("EventSourceMappingUUID");
              assertThat(parameter(dimensions.at("/0/Value"))).isEqualTo("/feed/prod/" + mapping);
            });
  }

  @ParameterizedTest
  @CsvSource({"DeadLetters,DeadLetters", "UntoldEvents,UntoldEvents"})
  void alarmOfAQueue_readsThatQueue(String name, String queue) {
    var dimension = alarm(name).required("Dimensions");
    assertThat(dimension).hasSize(1);
    assertThat(dimension.at("/0/Name").textValue()).isEqualTo("QueueName");
    assertThat(dimension.at("/0/Value/Fn::ImportValue").textValue())
        .matches(".*FnGetAtt" + queue + "[0-9A-F]{8}QueueName.*");
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

  /** The names that AWS generates reach the alarms by parameters that the API's stack publishes. */
  @ParameterizedTest
  @CsvSource({
    "NoHealthyTasks,LoadBalancer,balancer",
    "NoHealthyTasks,TargetGroup,target-group",
    "TaskMemory,ClusterName,cluster",
    "TaskMemory,ServiceName,service"
  })
  void alarmsOfTasks_readTheParametersOfTheApi(String name, String dimension, String parameter) {
    var value =
        StreamSupport.stream(alarm(name).required("Dimensions").spliterator(), false)
            .filter(it -> it.required("Name").textValue().equals(dimension))
            .map(it -> it.required("Value"))
            .findFirst()
            .orElseThrow();

    assertThat(parameter(value)).isEqualTo("/feed/prod/" + parameter);
    assertThat(PROD.all("api", "AWS::SSM::Parameter"))
        .extracting(it -> it.required("Name").textValue())
        .contains("/feed/prod/" + parameter);
  }
}
