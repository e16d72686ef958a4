package social.feed.infra;

import java.util.List;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.aws_apigatewayv2_authorizers.HttpJwtAuthorizer;
import software.amazon.awscdk.aws_apigatewayv2_integrations.HttpAlbIntegration;
import software.amazon.awscdk.services.apigateway.AccessLogFormat;
import software.amazon.awscdk.services.apigatewayv2.AddRoutesOptions;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.apigatewayv2.HttpMethod;
import software.amazon.awscdk.services.apigatewayv2.HttpStage;
import software.amazon.awscdk.services.apigatewayv2.IAccessLogDestination;
import software.amazon.awscdk.services.apigatewayv2.IAccessLogSettings;
import software.amazon.awscdk.services.apigatewayv2.LogGroupLogDestination;
import software.amazon.awscdk.services.apigatewayv2.MappingValue;
import software.amazon.awscdk.services.apigatewayv2.ParameterMapping;
import software.amazon.awscdk.services.apigatewayv2.VpcLink;
import software.amazon.awscdk.services.elasticloadbalancingv2.AddApplicationTargetsProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationListener;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationProtocol;
import software.amazon.awscdk.services.elasticloadbalancingv2.BaseApplicationListenerProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.HealthCheck;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The way in: two gateways that let only members' tokens through, one of them for answers that come
 * bit by bit, a link into the private network, a balancer, and the tasks.
 */
final class ApiStack extends Stack {
  private static final int LISTENER_PORT = 80;

  /** How long the balancer lets a connection be silent. */
  private static final Duration SILENCE = Duration.seconds(60);

  /** A request has 20 s, and a task that stops is to finish those that it has. */
  private static final Duration DRAIN = Duration.seconds(25);

  /** The most that the gateway waits. */
  private static final Duration PATIENCE = Duration.seconds(29);

  private final HttpApi gateway;

  ApiStack(Construct scope, String id, StackProps props, Inputs inputs, DataStack data) {
    super(scope, id, props);
    var members = new UserPoolResource(this, inputs.stage());
    var network = new PrivateNetwork(this, inputs.stage(), LISTENER_PORT, ApiTasks.PORT);
    var table = SsmParameter.TABLE_NAME.in(this, inputs.stage());
    var tasks = new ApiTasks(this, inputs, table, network, members);
    var balancer = balancer(network, data);
    var listener = listener(balancer, tasks);
    var link =
        VpcLink.Builder.create(this, "Link")
            .vpc(network.vpc())
            .subnets(network.inside())
            .securityGroups(List.of(network.gateway()))
            .build();
    this.gateway =
        HttpApi.Builder.create(this, "Gateway")
            .apiName(id)
            .description("A social feed")
            .createDefaultStage(false)
            .build();
    gateway.addRoutes(
        AddRoutesOptions.builder()
            .path("/v1/{proxy+}")
            .methods(List.of(HttpMethod.ANY))
            .authorizationScopes(List.of(UserPoolResource.SCOPE))
            .authorizer(
                HttpJwtAuthorizer.Builder.create("Members", members.issuer())
                    .jwtAudience(members.audiences())
                    .build())
            .integration(
                HttpAlbIntegration.Builder.create("Tasks", listener)
                    .vpcLink(link)
                    .parameterMapping(
                        new ParameterMapping()
                            .overwriteHeader(
                                ApiTasks.CLIENT_ADDRESS,
                                MappingValue.contextVariable("identity.sourceIp")))
                    .timeout(PATIENCE)
                    .build())
            .build());
    var stage = stage(inputs);
    var streams = new StreamGateway(this, inputs.stage(), members, link, balancer);
    output("Url", "Where the API is", stage.getUrl());
    output("StreamUrl", "Where GET /v1/stream and GET /v1/users/me/export are", streams.url());
    output("Service", "The tasks, as their scaling names them", tasks.resourceId());
    output("Issuer", "The issuer whose tokens are accepted", members.issuer());
    output("ClientId", "The client that members sign in with", members.audience());
  }

  private ApplicationLoadBalancer balancer(PrivateNetwork network, DataStack data) {
    var balancer =
        ApplicationLoadBalancer.Builder.create(this, "Balancer")
            .vpc(network.vpc())
            .vpcSubnets(network.inside())
            .internetFacing(false)
            .securityGroup(network.balancer())
            .dropInvalidHeaderFields(true)
            .idleTimeout(SILENCE)
            .build();
    balancer.logAccessLogs(data.logs(), "balancer");
    return balancer;
  }

  private static ApplicationListener listener(ApplicationLoadBalancer balancer, ApiTasks tasks) {
    var listener =
        balancer.addListener(
            "Http",
            BaseApplicationListenerProps.builder()
                .port(LISTENER_PORT)
                .protocol(ApplicationProtocol.HTTP)
                .open(false)
                .build());
    listener.addTargets(
        "Tasks",
        AddApplicationTargetsProps.builder()
            .port(ApiTasks.PORT)
            .protocol(ApplicationProtocol.HTTP)
            .targets(List.of(tasks.service()))
            .deregistrationDelay(DRAIN)
            // Not readiness: that the table cannot be reached is no reason to replace a task.
            .healthCheck(HealthCheck.builder().path("/health/liveness").build())
            .build());
    return listener;
  }

  private HttpStage stage(Inputs inputs) {
    var log =
        LogGroup.Builder.create(this, "AccessLog")
            .retention(inputs.stage().logsKept())
            .removalPolicy(inputs.stage().removal())
            .build();
    return HttpStage.Builder.create(this, "Default")
        .httpApi(gateway)
        .stageName("$default")
        .autoDeploy(true)
        .detailedMetricsEnabled(true)
        .accessLogSettings(new ToLog(new LogGroupLogDestination(log)))
        .build();
  }

  /** Without the path: it has the names of members in it. */
  private record ToLog(LogGroupLogDestination log) implements IAccessLogSettings {
    @Override
    public IAccessLogDestination getDestination() {
      return log;
    }

    @Override
    public AccessLogFormat getFormat() {
      return AccessLogFormat.custom(
          """
          {"at":"$context.requestTime","id":"$context.requestId","method":"$context.httpMethod",\
          "route":"$context.routeKey","status":"$context.status","bytes":"$context.responseLength",\
          "latency":"$context.responseLatency","error":"$context.integrationErrorMessage"}\
          """);
    }
  }

  private void output(String id, String description, String value) {
    CfnOutput.Builder.create(this, id).description(description).value(value).build();
  }

  HttpApi gateway() {
    return gateway;
  }
}
