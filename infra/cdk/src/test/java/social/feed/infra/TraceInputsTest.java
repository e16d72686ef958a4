package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceInputsTest {
  private static final String FUNCTION = "AWS::Lambda::Function";
  private static final String POLICY = "AWS::IAM::ManagedPolicy";

  @Test
  void stacks_withoutTracing_haveNoVariableNoModeAndNoRight() throws IOException {
    for (var stacks : List.of(Synthesized.of(Stage.PROD), Synthesized.withFunction(Stage.DEV))) {
      for (var part : List.of("api", "stream")) {
        assertThat(stacks.json(part).toString())
            .doesNotContain("FEED_TRACING", "TracingConfig", "xray:");
      }
    }
  }

  @Test
  void functions_sendToXray_withTheRights() throws IOException {
    var stacks =
        Synthesized.of(
            "traces",
            Stage.DEV,
            ApiInputs.API,
            ApiKind.FUNCTION.label(),
            TraceInputs.TRACING,
            "0.01");

    for (var part : List.of("api", "stream")) {
      assertThat(stacks.all(part, FUNCTION))
          .isNotEmpty()
          .allSatisfy(
              function -> {
                assertThat(function.at("/TracingConfig/Mode").asText()).isEqualTo("Active");
                assertThat(function.at("/Environment/Variables/FEED_TRACING_EXPORTER").asText())
                    .isEqualTo("xray");
              });
      assertThat(stacks.all(part, POLICY).toString()).contains("xray:PutTraceSegments");
    }
    assertThat(
            stacks.only("api", FUNCTION).at("/Environment/Variables/FEED_TRACING_RATIO").asText())
        .isEqualTo("0.01");
  }

  @Test
  void tasksAndLanes_sendToTheCollector() throws IOException {
    var stacks =
        Synthesized.of(
            "traces",
            Stage.PROD,
            TraceInputs.TRACING,
            "0.5",
            TraceInputs.COLLECTOR,
            "https://traces.example.com/v1/traces");

    assertThat(stacks.only("api", "AWS::ECS::TaskDefinition").toString())
        .contains("FEED_TRACING_ENDPOINT", "https://traces.example.com/v1/traces", "otlp");
    assertThat(stacks.all("stream", FUNCTION))
        .allSatisfy(
            function -> {
              assertThat(function.has("TracingConfig")).isFalse();
              assertThat(function.at("/Environment/Variables/FEED_TRACING_EXPORTER").asText())
                  .isEqualTo("otlp");
            });
    assertThat(stacks.all("stream", POLICY).toString()).doesNotContain("xray:");
  }

  @Test
  void service_withoutCollector_isRejected() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.PROD, TraceInputs.TRACING, "0.01"))
        .withMessageContaining("-c collector=https://HOST/v1/traces");
  }

  /** 4318 is the default of OTLP. The group of the tasks lets them reach 443 only. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://traces.example.com:4318/v1/traces",
        "https://traces.example.com:4318",
        "https://[2001:db8::1]:4318/v1/traces",
        "https://traces.example.com:4430/v1/traces",
        "https://my_collector:44?x=1"
      })
  void collectorAtAPortThatTasksCannotReach_isRejected(String collector) throws IOException {
    String[] context = {TraceInputs.TRACING, "0.5", TraceInputs.COLLECTOR, collector};

    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.PROD, context))
        .withMessageContaining("collector must be at port 443")
        .withMessageContaining(collector);
    assertThat(
            StandIns.inputs(
                    Stage.PROD,
                    TraceInputs.TRACING,
                    "0.5",
                    TraceInputs.COLLECTOR,
                    collector,
                    ApiInputs.API,
                    ApiKind.FUNCTION.label())
                .traces()
                .collector())
        .as("functions are in no network")
        .contains(collector);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://traces.example.com/v1/traces",
        "https://traces.example.com:443/v1/traces",
        "https://traces.example.com:443",
        "https://[2001:db8::1]/v1/traces",
        "https://traces.example.com/v1:4318/traces"
      })
  void collectorAtThePortOfTheTasks_isAccepted(String collector) throws IOException {
    assertThat(
            StandIns.inputs(
                    Stage.PROD, TraceInputs.TRACING, "0.5", TraceInputs.COLLECTOR, collector)
                .traces()
                .collector())
        .contains(collector);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "-1", "all", "1%"})
  void ratio_outsideOf0To1_isRejected(String ratio) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new TraceInputs(ratio, Optional.empty()))
        .withMessageContaining(ratio);
  }

  @Test
  void collector_withoutTls_isRejected() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> new TraceInputs("1", Optional.of("http://collector:4318")))
        .withMessageContaining("https://");
  }
}
