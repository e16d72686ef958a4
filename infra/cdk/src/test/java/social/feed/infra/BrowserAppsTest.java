package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import social.feed.api.edge.cors.CrossOrigins;

/** Tests that gateways and tasks let browser apps of some origins call the API. */
class BrowserAppsTest {
  private static final String APP = "https://app.example.com";
  private static final String OTHER_APP = "https://beta.example.com";

  private static Synthesized stacks;

  @BeforeAll
  static void synthesize() throws IOException {
    stacks =
        Synthesized.of("browser-apps", Stage.PROD, ApiInputs.CORS_ORIGINS, APP + ", " + OTHER_APP);
  }

  /** The gateway replaces the headers of the API by its own. */
  @Test
  void lists_equalThoseOfTheApi() {
    assertThat(BrowserApps.METHODS).isEqualTo(CrossOrigins.METHODS);
    assertThat(BrowserApps.REQUEST_HEADERS).isEqualTo(CrossOrigins.REQUEST_HEADERS);
    assertThat(BrowserApps.RESPONSE_HEADERS).isEqualTo(CrossOrigins.RESPONSE_HEADERS);
    assertThat(BrowserApps.MAX_AGE.toSeconds().longValue())
        .isEqualTo(CrossOrigins.MAX_AGE.toSeconds());
  }

  @Test
  void gateway_allowsTheOrigins() {
    var cors = stacks.only("api", "AWS::ApiGatewayV2::Api").required("CorsConfiguration");

    assertThat(texts(cors.required("AllowOrigins"))).containsExactly(APP, OTHER_APP);
    assertThat(texts(cors.required("AllowMethods"))).containsExactlyElementsOf(BrowserApps.METHODS);
    assertThat(texts(cors.required("AllowHeaders")))
        .containsExactlyElementsOf(BrowserApps.REQUEST_HEADERS);
    assertThat(texts(cors.required("ExposeHeaders")))
        .containsExactlyElementsOf(BrowserApps.RESPONSE_HEADERS);
    assertThat(cors.required("MaxAge").intValue()).isEqualTo(7_200);
    assertThat(cors.required("AllowCredentials").booleanValue()).isFalse();
  }

  /** A browser sends a preflight without the token. */
  @Test
  void preflights_needNoToken() {
    assertThat(stacks.all("api", "AWS::ApiGatewayV2::Route"))
        .filteredOn(route -> route.required("RouteKey").textValue().startsWith("OPTIONS "))
        .singleElement()
        .satisfies(
            route -> {
              assertThat(route.required("RouteKey").textValue()).isEqualTo("OPTIONS /v1/{proxy+}");
              assertThat(route.required("AuthorizationType").textValue()).isEqualTo("NONE");
            });
    assertThat(preflightsOfStreams())
        .hasSize(StreamGateway.ROUTES.size())
        .allSatisfy(
            method -> {
              assertThat(method.required("AuthorizationType").textValue()).isEqualTo("NONE");
              assertThat(method.at("/Integration/Type").textValue()).isEqualTo("MOCK");
            });
  }

  @Test
  void streamGateway_allowsTheOrigins() {
    assertThat(preflightsOfStreams())
        .allSatisfy(
            method ->
                assertThat(method.required("Integration").toString())
                    .contains(APP, OTHER_APP, "Last-Event-ID", "'GET'")
                    .doesNotContain("Allow-Credentials"));
  }

  /** A refusal of the gateway itself does not pass the API. */
  @Test
  void refusalsOfTheStreamGateway_canBeRead() {
    assertThat(stacks.all("api", "AWS::ApiGateway::GatewayResponse"))
        .hasSize(2)
        .allSatisfy(
            response ->
                assertThat(response.required("ResponseParameters").toString())
                    .contains("Access-Control-Allow-Origin"))
        .extracting(response -> response.required("ResponseType").textValue())
        .containsExactlyInAnyOrder("DEFAULT_4XX", "DEFAULT_5XX");
  }

  @Test
  void tasks_allowTheOrigins() {
    var environment =
        stacks.only("api", "AWS::ECS::TaskDefinition").at("/ContainerDefinitions/0/Environment");

    assertThat(environment)
        .filteredOn(it -> it.required("Name").textValue().equals("FEED_CORS_ORIGINS"))
        .singleElement()
        .satisfies(
            it -> assertThat(it.required("Value").textValue()).isEqualTo(APP + "," + OTHER_APP));
  }

  @Test
  void stacks_withoutOrigins_allowNone() {
    var closed = Synthesized.of(Stage.PROD);

    assertThat(closed.only("api", "AWS::ApiGatewayV2::Api").has("CorsConfiguration")).isFalse();
    assertThat(closed.all("api", "AWS::ApiGateway::GatewayResponse")).isEmpty();
    assertThat(closed.json("api").toString())
        .doesNotContain("OPTIONS", "FEED_CORS_ORIGINS", "Access-Control");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "https://*.example.com", "https://a.example.com/x", "a.example.com"})
  void origin_thatIsNone_isRejected(String origin) {
    assertThatExceptionOfType(MissingInputException.class)
        .isThrownBy(() -> BrowserApps.of(APP + "," + origin))
        .withMessageContaining("corsOrigins must be origins")
        .withMessageContaining(origin);
  }

  private static List<JsonNode> preflightsOfStreams() {
    return stacks.all("api", "AWS::ApiGateway::Method").stream()
        .filter(method -> method.required("HttpMethod").textValue().equals("OPTIONS"))
        .toList();
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::textValue).toList();
  }
}
