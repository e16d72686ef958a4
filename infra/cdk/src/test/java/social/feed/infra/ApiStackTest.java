package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.assertions.Match;
import software.amazon.awscdk.assertions.Template;
import software.amazon.awscdk.services.apigatewayv2.VpcLink;
import software.amazon.awscdk.services.ec2.IpAddresses;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.ec2.Vpc;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;

class ApiStackTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);
  private static final Duration GATEWAY_MAXIMUM = Duration.ofMinutes(15);

  @Test
  void task_runsWithoutRootAndWithoutAWritableDisk() {
    var container = container();

    assertThat(container.required("User").textValue()).isEqualTo("10001:10001");
    assertThat(container.required("ReadonlyRootFilesystem").booleanValue()).isTrue();
    assertThat(container.required("HealthCheck").required("Command").required(1).textValue())
        .isEqualTo("/app/healthy");
  }

  /** The task leaves the load balancer for longer than a request may take, and stops then. */
  @Test
  void task_thatStops_answersItsOpenRequests() {
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
  void tasks_scaleBetweenTheBoundsOfTheStage(Stage stage, int min, int max) {
    Synthesized.of(stage)
        .template("api")
        .hasResourceProperties(
            "AWS::ApplicationAutoScaling::ScalableTarget",
            Map.of("MinCapacity", min, "MaxCapacity", max));
  }

  /** A number in the template would reset the scaling at each deployment, also under load. */
  @Test
  void numberOfTasks_isNotInTheTemplate() {
    assertThat(PROD.only("api", "AWS::ECS::Service").has("DesiredCount")).isFalse();
  }

  @Test
  void deployment_thatDoesNotStart_isRolledBack() {
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

  /** If some tasks cannot pull their image, the deployment is rolled back, even the first one. */
  @Test
  void service_isCreatedAfterTheRouteAndTheRightsToItsImage() {
    var resources = PROD.json("api").required("Resources").properties();
    var dependencies =
        resources.stream()
            .map(Map.Entry::getValue)
            .filter(it -> it.required("Type").textValue().equals("AWS::ECS::Service"))
            .flatMap(it -> StreamSupport.stream(it.required("DependsOn").spliterator(), false))
            .map(JsonNode::textValue)
            .toList();
    var routes =
        resources.stream()
            .filter(it -> it.getValue().path("Properties").has("NatGatewayId"))
            .map(Map.Entry::getKey)
            .toList();

    assertThat(routes).hasSize(2);
    assertThat(dependencies)
        .containsAll(routes)
        .anyMatch(name -> name.startsWith("TasksExecutionRoleDefaultPolicy"));
  }

  /**
   * Requests pass only with a member's token, and only to the routes that the API serves to
   * members.
   */
  @Test
  void gateway_hasTwoRoutesAndRequiresAToken() {
    assertThat(PROD.all("api", "AWS::ApiGatewayV2::Route"))
        .extracting(route -> route.required("RouteKey").textValue())
        .containsExactlyInAnyOrder("ANY /v1/{proxy+}", "GET /v1/stream");
    assertThat(PROD.all("api", "AWS::ApiGatewayV2::Route"))
        .allSatisfy(
            route -> {
              assertThat(route.required("AuthorizationType").textValue()).isEqualTo("JWT");
              assertThat(route.has("AuthorizerId")).isTrue();
            });
  }

  /** A stage whose API was a function before would keep the limits of the function. */
  @Test
  void gateway_hasTheLimitsOfAnAccount() {
    var settings = PROD.only("api", "AWS::ApiGatewayV2::Stage").required("DefaultRouteSettings");

    assertThat(settings.required("ThrottlingRateLimit").intValue()).isEqualTo(10_000);
    assertThat(settings.required("ThrottlingBurstLimit").intValue()).isEqualTo(5_000);
  }

  /**
   * The gateway would hold a stream for half a minute and answer 504. So it asks for a path that
   * the API does not have, which is answered with 404 at once.
   */
  @Test
  void gateway_asksForAnotherPath_whereItCannotServeAStream() {
    var overwritten =
        integrations().stream()
            .map(integration -> integration.required("RequestParameters").path("overwrite:path"))
            .filter(JsonNode::isTextual)
            .map(JsonNode::textValue)
            .toList();

    assertThat(overwritten).containsExactly("/v1/stream/is-at-the-other-address");
  }

  private static List<JsonNode> integrations() {
    return PROD.all("api", "AWS::ApiGatewayV2::Integration");
  }

  /** A gateway that accepts other issuers than the API would pass requests that the API rejects. */
  @Test
  void gateway_acceptsTheSameIssuerAsTheApi() {
    var jwt = PROD.only("api", "AWS::ApiGatewayV2::Authorizer").required("JwtConfiguration");

    assertThat(jwt.required("Issuer")).isEqualTo(variable("FEED_AUTH_ISSUER"));
    assertThat(jwt.required("Audience"))
        .containsExactly(variable("FEED_AUTH_AUDIENCE"), variable("FEED_AUTH_OPERATOR_AUDIENCE"));
    assertThat(variable("FEED_AUTH_JWKS_URL").toString())
        .contains(variable("FEED_AUTH_ISSUER").required("Fn::GetAtt").toString())
        .contains("/.well-known/jwks.json");
  }

  /**
   * Without the scope, an access token would pass one gateway, and an id token the other. Operators
   * have no routes at the gateway of streams.
   */
  @Test
  void gateways_acceptTheSameTokens_ofMembers() {
    var routes = PROD.all("api", "AWS::ApiGatewayV2::Route");

    assertThat(routes)
        .allSatisfy(
            route ->
                assertThat(route.required("AuthorizationScopes"))
                    .extracting(JsonNode::textValue)
                    .containsExactly(UserPoolResource.SCOPE, UserPoolResource.OPERATOR_SCOPE));
    assertThat(streamedMethods())
        .allSatisfy(
            method -> {
              assertThat(method.required("AuthorizationType").textValue())
                  .isEqualTo("COGNITO_USER_POOLS");
              assertThat(method.required("AuthorizationScopes"))
                  .extracting(JsonNode::textValue)
                  .containsExactly(UserPoolResource.SCOPE);
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

  /** A gateway that buffers responses would buffer a stream without end. */
  @Test
  void streamGateway_streamsResponses_throughTheSameLinkAndBalancer() {
    var link = integrations().getFirst().required("ConnectionId");
    assertThat(streamedMethods())
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

  /** A deployment keeps the link of its creation, and other subnets or groups replace the link. */
  @Test
  void streamGateway_withOtherSubnetsOrGroup_isDeployedAgain() {
    var deployed = deployment("10.1.0.0/16", "Gateway");

    assertThat(deployment("10.1.0.0/16", "Gateway")).isEqualTo(deployed);
    assertThat(deployment("10.2.0.0/16", "Gateway")).isNotEqualTo(deployed);
    assertThat(deployment("10.1.0.0/16", "Another")).isNotEqualTo(deployed);
  }

  /** A log that the gateway creates itself never expires. */
  @Test
  void streamGateway_logOfErrors_isOfTheStackAndExpires() {
    var log =
        PROD.all("api", "AWS::Logs::LogGroup").stream()
            .filter(group -> group.toString().contains("API-Gateway-Execution-Logs_"))
            .toList();

    assertThat(log)
        .singleElement()
        .satisfies(
            group -> {
              assertThat(group.required("LogGroupName").toString()).contains("/v1");
              assertThat(group.required("RetentionInDays").intValue()).isPositive();
            });
  }

  private static Inputs inputs() {
    try {
      return StandIns.inputs(Stage.PROD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the name of the deployment of the gateway in a network with a group. */
  private static String deployment(String addresses, String group) {
    var stack = new Stack(new App(), "other");
    var network =
        Vpc.Builder.create(stack, "Network").ipAddresses(IpAddresses.cidr(addresses)).build();
    new StreamGateway(
        stack,
        inputs(),
        new UserPoolResource(stack, inputs()),
        VpcLink.Builder.create(stack, "Link").vpc(network).build(),
        network.getPrivateSubnets(),
        SecurityGroup.Builder.create(stack, "Group").vpc(network).description(group).build(),
        ApplicationLoadBalancer.Builder.create(stack, "Balancer").vpc(network).build());
    var deployments = Template.fromStack(stack).findResources("AWS::ApiGateway::Deployment");
    return String.join(",", deployments.keySet());
  }

  /** Only the host differs: the client and the API use the same path. */
  @Test
  void streamGateway_hasTheStreamedRoutes_underTheSamePaths() {
    var stage = PROD.only("api", "AWS::ApiGateway::Stage").required("StageName").textValue();

    assertThat(streamedMethods())
        .extracting(method -> method.at("/Integration/Uri/Fn::Join/1/2").textValue())
        .containsExactlyInAnyOrder("/" + stage + "/stream", "/" + stage + "/users/me/export");
    assertThat(streamedMethods())
        .extracting(method -> method.required("HttpMethod").textValue())
        .containsOnly("GET");
  }

  /**
   * The balancer closes idle connections, and the gateway ends long responses. The server sends
   * heartbeats and ends its streams before that.
   */
  @Test
  void streams_endAndSendBeforeTheTimeouts() {
    var idleTimeout = Duration.ofSeconds(balancerAttribute("idle_timeout.timeout_seconds"));
    var heartbeat = Duration.parse(variable("FEED_LIVE_HEARTBEAT").textValue());
    var duration = Duration.parse(variable("FEED_LIVE_LASTS").textValue());

    // Polls are up to ten seconds apart, and a heartbeat is sent with the next one.
    assertThat(heartbeat.plusSeconds(10).multipliedBy(2)).isLessThan(idleTimeout);
    assertThat(streamedMethods())
        .allSatisfy(
            method ->
                assertThat(duration)
                    .isLessThan(
                        Duration.ofMillis(method.at("/Integration/TimeoutInMillis").longValue())))
        .allSatisfy(
            method ->
                assertThat(method.at("/Integration/TimeoutInMillis").longValue())
                    .isLessThanOrEqualTo(GATEWAY_MAXIMUM.toMillis()));
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

  private static List<JsonNode> streamedMethods() {
    return PROD.all("api", "AWS::ApiGateway::Method");
  }

  /** A client address that the client itself sends does not reach the API. */
  @Test
  void gateway_overwritesTheHeaderOfTheClientAddress() {
    var header = "overwrite:header." + variable("FEED_LIMITS_RATE_ADDRESS_HEADER").textValue();

    assertThat(integrations())
        .isNotEmpty()
        .allSatisfy(
            integration ->
                assertThat(integration.required("RequestParameters").required(header).textValue())
                    .isEqualTo("$context.identity.sourceIp"));
  }

  /**
   * The API, and with it the log of the function, has the id that the logs of both gateways have.
   */
  @Test
  void gateways_passTheirRequestIdOn_overTheOneOfTheClient() {
    var name = variable("FEED_LOG_REQUEST_ID_HEADER").textValue();

    assertThat(integrations())
        .allSatisfy(
            integration ->
                assertThat(
                        integration
                            .required("RequestParameters")
                            .required("overwrite:header." + name)
                            .textValue())
                    .isEqualTo("$context.requestId"));
    assertThat(streamedMethods())
        .allSatisfy(
            method ->
                assertThat(
                        method
                            .required("Integration")
                            .required("RequestParameters")
                            .required("integration.request.header." + name)
                            .textValue())
                    // A client can choose the other id of this kind of gateway.
                    .isEqualTo("context.extendedRequestId"));
    assertThat(PROD.only("api", "AWS::ApiGatewayV2::Stage").at("/AccessLogSettings/Format"))
        .asString()
        .contains("$context.requestId");
    assertThat(PROD.only("api", "AWS::ApiGateway::Stage").at("/AccessLogSetting/Format"))
        .asString()
        .contains("$context.extendedRequestId");
  }

  /** Paths have names of members, and queries and bodies what they write or search. */
  @Test
  void logsOfGateways_haveNoPathAddressOrBody() {
    var function = Synthesized.withFunction(Stage.PROD);
    var formats =
        List.of(
            PROD.only("api", "AWS::ApiGatewayV2::Stage").at("/AccessLogSettings/Format"),
            function.only("api", "AWS::ApiGatewayV2::Stage").at("/AccessLogSettings/Format"),
            PROD.only("api", "AWS::ApiGateway::Stage").at("/AccessLogSetting/Format"));

    assertThat(formats)
        .allSatisfy(
            format ->
                assertThat(
                        Pattern.compile("\\$context\\.([\\w.]+)")
                            .matcher(format.textValue())
                            .results())
                    .extracting(variable -> variable.group(1))
                    .contains("requestTime", "status")
                    .isSubsetOf(
                        "requestTime",
                        "requestId",
                        "extendedRequestId",
                        "httpMethod",
                        "routeKey",
                        "resourcePath",
                        "status",
                        "responseLength",
                        "responseLatency",
                        "integration.timeToFirstContent",
                        "integrationErrorMessage"));
    assertThat(PROD.only("api", "AWS::ApiGateway::Stage").required("MethodSettings"))
        .isNotEmpty()
        .allSatisfy(
            methods -> {
              assertThat(methods.required("DataTraceEnabled").booleanValue()).isFalse();
              assertThat(methods.required("LoggingLevel").textValue()).isEqualTo("ERROR");
            });
  }

  /** A log that does not answer would otherwise stop each thread that writes a line. */
  @Test
  void tasks_logJson_andDoNotWaitForTheLog() {
    assertThat(variable("FEED_LOG_FORMAT").textValue()).isEqualTo("json");
    assertThat(variable("FEED_LOG_METRICS").textValue()).isEqualTo("true");
    var options =
        PROD.only("api", "AWS::ECS::TaskDefinition")
            .at("/ContainerDefinitions/0/LogConfiguration/Options");
    assertThat(options.required("mode").textValue()).isEqualTo("non-blocking");
    assertThat(options.required("max-buffer-size").textValue()).isEqualTo("26214400b");
  }

  /** Otherwise a JVM may size its heap by the machine below the task. */
  @Test
  void container_hasTheMemoryOfItsTask() {
    var memory = PROD.only("api", "AWS::ECS::TaskDefinition").required("Memory").textValue();

    assertThat(container().required("Memory").intValue()).isEqualTo(Integer.parseInt(memory));
  }

  @Test
  void balancer_isInternal() {
    PROD.template("api")
        .hasResourceProperties(
            "AWS::ElasticLoadBalancingV2::LoadBalancer", Map.of("Scheme", "internal"));
  }

  @Test
  void network_hasEndpointsForTableAndImages() {
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
