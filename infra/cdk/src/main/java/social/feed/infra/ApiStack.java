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
 * The entry to the API: two gateways that accept only members' tokens, a link into the private
 * network, a load balancer, and the tasks. One of the gateways is for streamed responses.
 */
final class ApiStack extends Stack {
  private static final int LISTENER_PORT = 80;

  /** The idle time after which the balancer closes a connection. */
  private static final Duration IDLE_TIMEOUT = Duration.seconds(60);

  /** A request may take 20 s, and a task that stops must finish the requests that it has. */
  private static final Duration DRAIN = Duration.seconds(25);

  /** The longest time that the gateway waits for a response. */
  private static final Duration INTEGRATION_TIMEOUT = Duration.seconds(29);

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
            .subnets(network.privateSubnets())
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
                    .timeout(INTEGRATION_TIMEOUT)
                    .build())
            .build());
    var stage = stage(inputs);
    var streams =
        new StreamGateway(this, inputs.stage(), members, link, network.taskSubnets(), balancer);
    output("Url", "Address of the API", stage.getUrl());
    output("StreamUrl", "Address of GET /v1/stream and GET /v1/users/me/export", streams.url());
    output("Service", "Resource id of the tasks for their scaling", tasks.resourceId());
    output("Issuer", "The issuer whose tokens are accepted", members.issuer());
    output("ClientId", "Client id with which members sign in", members.audience());
  }

  private ApplicationLoadBalancer balancer(PrivateNetwork network, DataStack data) {
    var balancer =
        ApplicationLoadBalancer.Builder.create(this, "Balancer")
            .vpc(network.vpc())
            .vpcSubnets(network.privateSubnets())
            .internetFacing(false)
            .securityGroup(network.balancer())
            .dropInvalidHeaderFields(true)
            .idleTimeout(IDLE_TIMEOUT)
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
            // Not readiness: a new task could not reach the table either.
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
        .accessLogSettings(new AccessLogSettings(new LogGroupLogDestination(log)))
        .build();
  }

  /** Access log settings without the path, because it contains the names of members. */
  private record AccessLogSettings(LogGroupLogDestination log) implements IAccessLogSettings {
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
