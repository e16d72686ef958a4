package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayRateTest {
  private static final String RATE = "61000";

  /** An account of ten thousand requests a second has a burst of five thousand. */
  @Test
  void gateway_withARate_passesItWithHalfAsABurst() throws IOException {
    var stacks = Synthesized.of("gateway-rate", Stage.PROD, GatewayRate.GATEWAY_REQUESTS, RATE);
    var settings = stacks.only("api", "AWS::ApiGatewayV2::Stage").required("DefaultRouteSettings");

    assertThat(settings.required("ThrottlingRateLimit").intValue()).isEqualTo(61_000);
    assertThat(settings.required("ThrottlingBurstLimit").intValue()).isEqualTo(30_500);
  }

  /** The gateway of a function has the limit of its stage. */
  @Test
  void function_withARate_isRejected() {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(
            () ->
                StandIns.inputs(
                    Stage.PROD,
                    ApiInputs.API,
                    ApiKind.FUNCTION.label(),
                    GatewayRate.GATEWAY_REQUESTS,
                    RATE))
        .withMessage("gatewayRequests is for api=service, and the API runs as a function");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "10k", "1.5", "10000000"})
  void rate_thatIsNoNumberOfRequests_isRejected(String rate) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> StandIns.inputs(Stage.PROD, GatewayRate.GATEWAY_REQUESTS, rate))
        .withMessageContaining("gatewayRequests must be a whole number of requests a second")
        .withMessageContaining(rate);
  }
}
