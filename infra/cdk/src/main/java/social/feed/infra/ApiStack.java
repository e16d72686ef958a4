package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.aws_apigatewayv2_authorizers.HttpJwtAuthorizer;
import software.amazon.awscdk.aws_apigatewayv2_integrations.HttpAlbIntegration;
import software.amazon.awscdk.aws_apigatewayv2_integrations.HttpLambdaIntegration;
import software.amazon.awscdk.services.apigateway.AccessLogFormat;
import software.amazon.awscdk.services.apigatewayv2.AddRoutesOptions;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.apigatewayv2.HttpMethod;
import software.amazon.awscdk.services.apigatewayv2.HttpRouteIntegration;
import software.amazon.awscdk.services.apigatewayv2.HttpStage;
import software.amazon.awscdk.services.apigatewayv2.IAccessLogDestination;
import software.amazon.awscdk.services.apigatewayv2.IAccessLogSettings;
import software.amazon.awscdk.services.apigatewayv2.LogGroupLogDestination;
import software.amazon.awscdk.services.apigatewayv2.MappingValue;
import software.amazon.awscdk.services.apigatewayv2.ParameterMapping;
import software.amazon.awscdk.services.apigatewayv2.PayloadFormatVersion;
import software.amazon.awscdk.services.apigatewayv2.ThrottleSettings;
import software.amazon.awscdk.services.apigatewayv2.VpcLink;
import software.amazon.awscdk.services.elasticloadbalancingv2.AddApplicationTargetsProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationListener;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationProtocol;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationTargetGroup;
import software.amazon.awscdk.services.elasticloadbalancingv2.BaseApplicationListenerProps;
import software.amazon.awscdk.services.elasticloadbalancingv2.HealthCheck;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The entry to the API: two gateways that accept only tokens of members and operators, a link into
 * the private network, a load balancer, and the tasks. One of the gateways is for streamed
 * responses.
 */
final class ApiStack extends Stack {
  private static final int LISTENER_PORT = 80;

  /** The idle time after which the balancer closes a connection. */
  private static final Duration IDLE_TIMEOUT = Duration.seconds(60);

  /** A request may take 20 s, and a task that stops must finish the requests that it has. */
  private static final Duration DRAIN = Duration.seconds(25);

  /** The longest time that the gateway waits for a response. */
  private static final Duration INTEGRATION_TIMEOUT = Duration.seconds(29);

  /**
   * The path to which the gateway sends {@code GET /v1/stream}. The API has no such route and
   * answers 404 at once. The gateway would hold a stream until its timeout and answer 504, which
   * counts as a slow request and as an error of the server.
   */
  static final String NOT_STREAMED = "/v1/stream/is-at-the-other-address";

  private final HttpApi gateway;
  private final Optional<ApiFunctionResource> function;

  ApiStack(Construct scope, String id, StackProps props, Inputs inputs, DataStack data) {
    super(scope, id, props);
    var members = new UserPoolResource(this, inputs);
    var table = SsmParameter.TABLE_NAME.in(this, inputs.stage());
    this.gateway =
        HttpApi.Builder.create(this, "Gateway")
            .apiName(id)
            .description("A social feed")
            .createDefaultStage(false)
            .corsPreflight(inputs.api().apps().exist() ? inputs.api().apps().ofHttpApi() : null)
            .build();
    var authorizer =
        HttpJwtAuthorizer.Builder.create("Members", members.issuer())
            .jwtAudience(members.audiences())
            .build();
    this.function =
        inputs.api().kind() == ApiKind.FUNCTION
            ? Optional.of(function(inputs, table, members, authorizer))
            : Optional.empty();
    if (function.isEmpty()) {
      service(id, inputs, data, table, members, authorizer);
    }
    output("Issuer", "The issuer whose tokens are accepted", members.issuer());
    output("ClientId", "Client id with which members sign in", members.audience());
    output("OperatorClientId", "Client id of operators", members.operatorAudience());
    output("TokenUrl", "Address at which operators get a token", members.tokenUrl());
  }

  /** Routes all requests to a function, which polls for streams. */
  private ApiFunctionResource function(
      Inputs inputs, String table, UserPoolResource members, HttpJwtAuthorizer authorizer) {
    var api = new ApiFunctionResource(this, inputs, table, members, gateway);
    gateway.addRoutes(route("/v1/{proxy+}", HttpMethod.ANY, authorizer, call("Function", api)));
    if (inputs.api().apps().exist()) {
      gateway.addRoutes(preflights(call("Preflights", api)));
    }
    // Each instance limits a caller by itself, so the gateway limits all callers together.
    var accessLog = accessLog(inputs);
    var url =
        stage(
                accessLog,
                ThrottleSettings.builder()
                    .rateLimit(inputs.stage().requestsMax())
                    .burstLimit(inputs.stage().requestsMax() * 2)
                    .build())
            .getUrl();
    output("Url", "Address of the API", url);
    output("StreamUrl", "Address of GET /v1/stream and GET /v1/users/me/export", url);
    output("Function", "Name of the function of the API", api.function().getFunctionName());
    output("CursorSecretArn", "Secret that signs cursors", api.cursorSecretArn());
    output("TaskLog", "Log of the function", api.logGroup());
    output("GatewayLog", "Log of the gateway", accessLog.getLogGroupName());
    output("StreamGatewayLog", "Log of the same gateway", accessLog.getLogGroupName());
    return api;
  }

  private static HttpLambdaIntegration call(String id, ApiFunctionResource api) {
    return HttpLambdaIntegration.Builder.create(id, api.alias())
        .payloadFormatVersion(PayloadFormatVersion.VERSION_2_0)
        .timeout(INTEGRATION_TIMEOUT)
        .build();
  }

  /** Routes all requests to tasks, and those for streams through a gateway of their own. */
  private void service(
      String id,
      Inputs inputs,
      DataStack data,
      String table,
      UserPoolResource members,
      HttpJwtAuthorizer authorizer) {
    var network = new PrivateNetwork(this, inputs.stage(), LISTENER_PORT, ApiTasks.PORT);
    inputs.api().cache().ifPresent(network::allowCache);
    var tasks = new ApiTasks(this, inputs, table, network, members);
    var balancer = balancer(network, data);
    var listener = listener(balancer);
    var targets = targets(listener, tasks);
    SsmParameter.BALANCER.publish(this, inputs.stage(), balancer.getLoadBalancerFullName());
    SsmParameter.TARGET_GROUP.publish(this, inputs.stage(), targets.getTargetGroupFullName());
    tasks.publish(inputs.stage());
    tasks.rollBackOn(
        ReleaseAlarms.ofTasks(
            this,
            id + "-release-errors",
            Map.of(
                "LoadBalancer",
                balancer.getLoadBalancerFullName(),
                "TargetGroup",
                targets.getTargetGroupFullName())),
        id + "-release-errors");
    var link =
        VpcLink.Builder.create(this, "Link")
            .vpc(network.vpc())
            .subnets(network.privateSubnets())
            .securityGroups(List.of(network.gateway()))
            .build();
    gateway.addRoutes(
        route(
            "/v1/{proxy+}",
            HttpMethod.ANY,
            authorizer,
            integration("Tasks", listener, link, new ParameterMapping())));
    gateway.addRoutes(
        route(
            "/v1/stream",
            HttpMethod.GET,
            authorizer,
            integration(
                "NotStreamed",
                listener,
                link,
                new ParameterMapping().overwritePath(MappingValue.custom(NOT_STREAMED)))));
    if (inputs.api().apps().exist()) {
      gateway.addRoutes(
          preflights(integration("Preflights", listener, link, new ParameterMapping())));
    }
    var accessLog = accessLog(inputs);
    // Also where they are those of the account: an API that was a function had smaller ones, and a
    // setting that disappears from a template may stay.
    var limits = inputs.api().gateway().orElse(GatewayRate.OF_AN_ACCOUNT).limits();
    var stage = stage(accessLog, limits);
    var streams =
        new StreamGateway(
            this, inputs, members, link, network.taskSubnets(), network.gateway(), balancer);
    output("Url", "Address of the API", stage.getUrl());
    output("StreamUrl", "Address of GET /v1/stream and GET /v1/users/me/export", streams.url());
    output("Service", "Resource id of the tasks for their scaling", tasks.resourceId());
    output("Image", "Image that the tasks run", tasks.image());
    output("TaskDefinition", "Definition that the tasks run", tasks.definitionArn());
    output("CursorSecretArn", "Secret that signs cursors", tasks.cursorSecretArn());
    output("TaskLog", "Log of the tasks", tasks.logGroup());
    output("GatewayLog", "Log of the gateway", accessLog.getLogGroupName());
    output("StreamGatewayLog", "Log of the gateway of the streams", streams.accessLog());
  }

  /** The route of all methods would require a token for a preflight, which has none. */
  private static AddRoutesOptions preflights(HttpRouteIntegration integration) {
    return AddRoutesOptions.builder()
        .path("/v1/{proxy+}")
        .methods(List.of(HttpMethod.OPTIONS))
        .integration(integration)
        .build();
  }

  private static AddRoutesOptions route(
      String path,
      HttpMethod method,
      HttpJwtAuthorizer authorizer,
      HttpRouteIntegration integration) {
    return AddRoutesOptions.builder()
        .path(path)
        .methods(List.of(method))
        .authorizationScopes(UserPoolResource.scopes())
        .authorizer(authorizer)
        .integration(integration)
        .build();
  }

  private static HttpAlbIntegration integration(
      String id, ApplicationListener listener, VpcLink link, ParameterMapping mapping) {
    return HttpAlbIntegration.Builder.create(id, listener)
        .vpcLink(link)
        .parameterMapping(
            mapping
                .overwriteHeader(
                    ApiTasks.CLIENT_ADDRESS, MappingValue.contextVariable("identity.sourceIp"))
                .overwriteHeader(ApiTasks.REQUEST_ID, MappingValue.contextVariable("requestId")))
        .timeout(INTEGRATION_TIMEOUT)
        .build();
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

  private static ApplicationListener listener(ApplicationLoadBalancer balancer) {
    return balancer.addListener(
        "Http",
        BaseApplicationListenerProps.builder()
            .port(LISTENER_PORT)
            .protocol(ApplicationProtocol.HTTP)
            .open(false)
            .build());
  }

  private static ApplicationTargetGroup targets(ApplicationListener listener, ApiTasks tasks) {
    return listener.addTargets(
        "Tasks",
        AddApplicationTargetsProps.builder()
            .port(ApiTasks.PORT)
            .protocol(ApplicationProtocol.HTTP)
            .targets(List.of(tasks.service()))
            .deregistrationDelay(DRAIN)
            // Not readiness: a new task could not reach the table either.
            .healthCheck(HealthCheck.builder().path("/health/liveness").build())
            .build());
  }

  private LogGroup accessLog(Inputs inputs) {
    return LogGroup.Builder.create(this, "AccessLog")
        .retention(inputs.stage().logsKept())
        .removalPolicy(inputs.stage().removal())
        .build();
  }

  private HttpStage stage(LogGroup log, ThrottleSettings throttle) {
    return HttpStage.Builder.create(this, "Default")
        .httpApi(gateway)
        .stageName("$default")
        .autoDeploy(true)
        .throttle(throttle)
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

  /** Returns the function of the API; absent where the API runs as a service. */
  Optional<ApiFunctionResource> function() {
    return function;
  }
}
