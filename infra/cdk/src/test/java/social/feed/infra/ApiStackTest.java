package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awscdk.assertions.Match;

class ApiStackTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);
  private static final Duration GATEWAY_ALLOWS = Duration.ofMinutes(15);

  @Test
  void task_hasNoRootAndNoDiskToWriteOn() {
    var container = container();

    assertThat(container.required("User").textValue()).isEqualTo("10001:10001");
    assertThat(container.required("ReadonlyRootFilesystem").booleanValue()).isTrue();
    assertThat(container.required("HealthCheck").required("Command").required(1).textValue())
        .isEqualTo("/app/healthy");
  }

  /** It leaves the load balancer for longer than a request may take, then it is stopped. */
  @Test
  void task_thatStops_answersWhatItWasAsked() {
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ElasticLoadBalancingV2::TargetGroup",
            Map.of(
                "HealthCheckPath",
                "/health/liveness",
                "TargetGroupAttributes",
                Match.arrayWith(
                    List.of(
                        Map.of("Key", "deregistration_delay.timeout_seconds", "Value", "25")))));
    assertThat(container().required("StopTimeout").intValue()).isEqualTo(30);
  }

  @ParameterizedTest
  @CsvSource({"DEV,1,2", "PROD,3,30"})
  void tasks_areAsManyAsTheLoadWants(Stage stage, int min, int max) {
    Synthesized.of(stage)
        .template("api")
        .hasResourceProperties(
            "AWS::ApplicationAutoScaling::ScalableTarget",
            Map.of("MinCapacity", min, "MaxCapacity", max));
  }

  /** A deployment would set it back while there is load. */
  @Test
  void numberOfTasks_isLeftToTheScaling() {
    assertThat(PROD.only("api", "AWS::ECS::Service").has("DesiredCount")).isFalse();
  }

  @Test
  void deployment_thatDoesNotStart_isTakenBack() {
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ECS::Service",
            Map.of(
                "DeploymentConfiguration",
                Match.objectLike(
                    Map.of(
                        "DeploymentCircuitBreaker",
                        Map.of("Enable", true, "Rollback", true),
                        "MinimumHealthyPercent",
                        100)),
                "NetworkConfiguration",
                Match.objectLike(
                    Map.of(
                        "AwsvpcConfiguration",
                        Match.objectLike(Map.of("AssignPublicIp", "DISABLED"))))));
  }

  /**
   * Some tasks that cannot get at their image, and the deployment is taken back: the first, too.
   */
  @Test
  void service_waitsForTheWayToItsImage_andForTheRightsToIt() {
    var resources = PROD.json("api").required("Resources").properties();
    var waitedFor =
        resources.stream()
            .map(Map.Entry::getValue)
            .filter(it -> it.required("Type").textValue().equals("AWS::ECS::Service"))
            .flatMap(it -> StreamSupport.stream(it.required("DependsOn").spliterator(), false))
            .map(JsonNode::textValue)
            .toList();
    var waysOut =
        resources.stream()
            .filter(it -> it.getValue().path("Properties").has("NatGatewayId"))
            .map(Map.Entry::getKey)
            .toList();

    assertThat(waysOut).hasSize(2);
    assertThat(waitedFor)
        .containsAll(waysOut)
        .anyMatch(name -> name.startsWith("TasksExecutionRoleDefaultPolicy"));
  }

  /** Nothing passes without a member's token, and only what the API serves to members. */
  @Test
  void gateway_hasOneRouteAndAsksForAToken() {
    PROD.template("api").resourceCountIs("AWS::ApiGatewayV2::Route", 1);
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ApiGatewayV2::Route",
            Map.of("RouteKey", "ANY /v1/{proxy+}", "AuthorizationType", "JWT"));
  }

  /** A gateway that believes others than the API does would let in what the API refuses. */
  @Test
  void gateway_believesWhomTheApiBelieves() {
    var jwt = PROD.only("api", "AWS::ApiGatewayV2::Authorizer").required("JwtConfiguration");

    assertThat(jwt.required("Issuer")).isEqualTo(variable("FEED_AUTH_ISSUER"));
    assertThat(jwt.required("Audience").required(0)).isEqualTo(variable("FEED_AUTH_AUDIENCE"));
    assertThat(variable("FEED_AUTH_JWKS_URL").toString())
        .contains(variable("FEED_AUTH_ISSUER").required("Fn::GetAtt").toString())
        .contains("/.well-known/jwks.json");
  }

  /** Otherwise an access token would pass one gateway, and an id token the other. */
  @Test
  void gateways_takeTheSameTokens() {
    var scopes = PROD.only("api", "AWS::ApiGatewayV2::Route").required("AuthorizationScopes");

    assertThat(scopes).hasSize(1);
    assertThat(streamed())
        .allSatisfy(
            method -> {
              assertThat(method.required("AuthorizationType").textValue())
                  .isEqualTo("COGNITO_USER_POOLS");
              assertThat(method.required("AuthorizationScopes")).isEqualTo(scopes);
            });
    assertThat(
            PROD.only("api", "AWS::ApiGateway::Authorizer")
                .at("/ProviderARNs/0/Fn::GetAtt")
                .toString())
        .isEqualTo(
            variable("FEED_AUTH_ISSUER")
                .required("Fn::GetAtt")
                .toString()
                .replace("ProviderURL", "Arn"));
  }

  /** A gateway that buffers a response would buffer a stream without end. */
  @Test
  void streamGateway_passesOnWhatComes_throughTheSameLinkToTheSameBalancer() {
    var link = PROD.only("api", "AWS::ApiGatewayV2::Integration").required("ConnectionId");
    assertThat(streamed())
        .hasSize(StreamGateway.ROUTES.size())
        .extracting(method -> method.required("Integration"))
        .allSatisfy(
            integration -> {
              assertThat(integration.required("Type").textValue()).isEqualTo("HTTP_PROXY");
              assertThat(integration.required("ResponseTransferMode").textValue())
                  .isEqualTo("STREAM");
              assertThat(integration.required("ConnectionType").textValue()).isEqualTo("VPC_LINK");
              assertThat(integration.required("ConnectionId")).isEqualTo(link);
              assertThat(integration.at("/IntegrationTarget/Ref").textValue())
                  .startsWith("Balancer");
              assertThat(
                      integration
                          .required("RequestParameters")
                          .required(
                              "integration.request.header."
                                  + variable("FEED_LIMITS_RATE_ADDRESS_HEADER").textValue())
                          .textValue())
                  .isEqualTo("context.identity.sourceIp");
            });
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ApiGateway::RestApi",
            Map.of(
                "EndpointConfiguration", Match.objectLike(Map.of("Types", List.of("REGIONAL")))));
  }

  /** Only the host differs: what the path is at the client it is at the API. */
  @Test
  void streamGateway_hasTheRoutesThatTakeTheirTime_underTheSamePaths() {
    var stage = PROD.only("api", "AWS::ApiGateway::Stage").required("StageName").textValue();

    assertThat(streamed())
        .extracting(method -> method.at("/Integration/Uri/Fn::Join/1/2").textValue())
        .containsExactlyInAnyOrder("/" + stage + "/stream", "/" + stage + "/users/me/export");
    assertThat(streamed())
        .extracting(method -> method.required("HttpMethod").textValue())
        .containsOnly("GET");
  }

  /**
   * The balancer closes what is silent, the gateway what lasts: the server speaks sooner, and ends
   * sooner.
   */
  @Test
  void streams_endAndSendBeforeAnyTimeoutInBetween() {
    var silence = Duration.ofSeconds(balancerAttribute("idle_timeout.timeout_seconds"));
    var heartbeat = Duration.parse(variable("FEED_LIVE_HEARTBEAT").textValue());
    var lasts = Duration.parse(variable("FEED_LIVE_LASTS").textValue());

    // Looks are up to ten seconds apart, and a heartbeat waits for the next one.
    assertThat(heartbeat.plusSeconds(10).multipliedBy(2)).isLessThan(silence);
    assertThat(streamed())
        .allSatisfy(
            method ->
                assertThat(lasts)
                    .isLessThan(
                        Duration.ofMillis(method.at("/Integration/TimeoutInMillis").longValue())))
        .allSatisfy(
            method ->
                assertThat(method.at("/Integration/TimeoutInMillis").longValue())
                    .isLessThanOrEqualTo(GATEWAY_ALLOWS.toMillis()));
  }

  private static long balancerAttribute(String key) {
    var attributes =
        PROD.only("api", "AWS::ElasticLoadBalancingV2::LoadBalancer")
            .required("LoadBalancerAttributes");
    return StreamSupport.stream(attributes.spliterator(), false)
        .filter(attribute -> attribute.required("Key").textValue().equals(key))
        .mapToLong(attribute -> Long.parseLong(attribute.required("Value").textValue()))
        .findFirst()
        .orElseThrow();
  }

  private static List<JsonNode> streamed() {
    return PROD.all("api", "AWS::ApiGateway::Method");
  }

  /** What the client says its address is does not reach the API. */
  @Test
  void gateway_overwritesTheHeaderThatTheApiTakesAddressesFrom() {
    var parameters =
        PROD.only("api", "AWS::ApiGatewayV2::Integration").required("RequestParameters");

    assertThat(
            parameters
                .required(
                    "overwrite:header." + variable("FEED_LIMITS_RATE_ADDRESS_HEADER").textValue())
                .textValue())
        .isEqualTo("$context.identity.sourceIp");
  }

  @Test
  void balancer_isInside() {
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ElasticLoadBalancingV2::LoadBalancer", Map.of("Scheme", "internal"));
  }

  @Test
  void network_reachesTableAndImagesWithoutLeaving() {
    assertThat(PROD.all("api", "AWS::EC2::VPCEndpoint"))
        .extracting(endpoint -> endpoint.required("ServiceName").toString())
        .hasSize(2)
        .anyMatch(name -> name.contains("dynamodb"))
        .anyMatch(name -> name.contains("s3"));
  }

  @Test
  void securityGroups_admitNoTrafficFromOutside() {
    var rules =
        PROD.all("api", "AWS::EC2::SecurityGroupIngress").stream().map(JsonNode::toString).toList();

    assertThat(rules).hasSize(2).noneMatch(rule -> rule.contains("Cidr"));
    assertThat(PROD.all("api", "AWS::EC2::SecurityGroup"))
        .noneMatch(group -> group.has("SecurityGroupIngress"));
  }

  @Test
  void cursorSecret_isLongEnoughAndNotInTheTemplate() {
    var generated =
        PROD.only("api", "AWS::SecretsManager::Secret").required("GenerateSecretString");

    assertThat(generated.required("PasswordLength").intValue()).isGreaterThanOrEqualTo(32);
    assertThat(container().required("Secrets").required(0).required("Name").textValue())
        .isEqualTo("FEED_CURSOR_SECRET");
  }

  private static JsonNode container() {
    return PROD.only("api", "AWS::ECS::TaskDefinition")
        .required("ContainerDefinitions")
        .required(0);
  }

  private static JsonNode variable(String name) {
    return StreamSupport.stream(container().required("Environment").spliterator(), false)
        .filter(variable -> variable.required("Name").textValue().equals(name))
        .map(variable -> variable.required("Value"))
        .findFirst()
        .orElseThrow();
  }
}
