package social.feed.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.apigateway.AccessLogFormat;
import software.amazon.awscdk.services.apigateway.CfnMethod;
import software.amazon.awscdk.services.apigateway.CognitoUserPoolsAuthorizer;
import software.amazon.awscdk.services.apigateway.ConnectionType;
import software.amazon.awscdk.services.apigateway.EndpointType;
import software.amazon.awscdk.services.apigateway.Integration;
import software.amazon.awscdk.services.apigateway.IntegrationOptions;
import software.amazon.awscdk.services.apigateway.IntegrationType;
import software.amazon.awscdk.services.apigateway.LogGroupLogDestination;
import software.amazon.awscdk.services.apigateway.MethodLoggingLevel;
import software.amazon.awscdk.services.apigateway.MethodOptions;
import software.amazon.awscdk.services.apigateway.ResponseTransferMode;
import software.amazon.awscdk.services.apigateway.RestApi;
import software.amazon.awscdk.services.apigateway.StageOptions;
import software.amazon.awscdk.services.apigatewayv2.VpcLink;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The way in for answers that take their time. It passes them on as they come; the gateway of all
 * other routes holds an answer back until it is whole, and ends it after half a minute.
 */
final class StreamGateway extends Construct {
  /** The most that an answer may last here. */
  static final Duration LONGEST = Duration.minutes(15);

  /** Routes, from {@value #VERSION} on. */
  static final List<String> ROUTES = List.of("stream", "users/me/export");

  /** The stage, which is the beginning of every path, so that only the host differs. */
  private static final String VERSION = "v1";

  private final RestApi api;

  StreamGateway(
      Construct scope,
      Stage stage,
      UserPoolResource members,
      VpcLink link,
      ApplicationLoadBalancer balancer) {
    super(scope, "Streams");
    this.api =
        RestApi.Builder.create(this, "Api")
            .restApiName(name(stage))
            .description("A social feed: answers that come bit by bit")
            // Silence may last five minutes here, and half a minute behind the edge.
            .endpointTypes(List.of(EndpointType.REGIONAL))
            // An account has one for the logs of all its gateways of this kind. It stays.
            .cloudWatchRole(true)
            .deployOptions(options(stage))
            .build();
    api.getNode().tryRemoveChild("Endpoint");
    var authorizer =
        CognitoUserPoolsAuthorizer.Builder.create(this, "Members")
            .cognitoUserPools(List.of(members.pool()))
            .build();
    var options =
        MethodOptions.builder()
            .authorizer(authorizer)
            .authorizationScopes(List.of(UserPoolResource.SCOPE))
            .build();
    var known =
        software.amazon.awscdk.services.apigateway.VpcLink.fromVpcLinkId(
            this, "Link", link.getVpcLinkId());
    for (var route : ROUTES) {
      var uri = "http://%s/%s/%s".formatted(balancer.getLoadBalancerDnsName(), VERSION, route);
      var method =
          api.getRoot().resourceForPath(route).addMethod("GET", passedOn(uri, known), options);
      // The construct knows links to network balancers only; this names the balancer itself.
      ((CfnMethod) method.getNode().getDefaultChild())
          .addPropertyOverride("Integration.IntegrationTarget", balancer.getLoadBalancerArn());
    }
  }

  /** The name of the gateway, by which its metrics go. */
  static String name(Stage stage) {
    return "feed-%s-streams".formatted(stage.label());
  }

  private StageOptions options(Stage stage) {
    var log =
        LogGroup.Builder.create(this, "AccessLog")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    return StageOptions.builder()
        .stageName(VERSION)
        .metricsEnabled(true)
        .loggingLevel(MethodLoggingLevel.ERROR)
        .dataTraceEnabled(false)
        .accessLogDestination(new LogGroupLogDestination(log))
        .accessLogFormat(
            AccessLogFormat.custom(
                """
                {"at":"$context.requestTime","id":"$context.requestId","method":"$context.httpMethod",\
                "route":"$context.resourcePath","status":"$context.status","bytes":"$context.responseLength",\
                "latency":"$context.responseLatency","first":"$context.integration.timeToFirstContent",\
                "error":"$context.integrationErrorMessage"}\
                """))
        .build();
  }

  private static Integration passedOn(
      String uri, software.amazon.awscdk.services.apigateway.IVpcLink link) {
    return Integration.Builder.create()
        .type(IntegrationType.HTTP_PROXY)
        .integrationHttpMethod("GET")
        .uri(uri)
        .options(
            IntegrationOptions.builder()
                .connectionType(ConnectionType.VPC_LINK)
                .vpcLink(link)
                .responseTransferMode(ResponseTransferMode.STREAM)
                .timeout(LONGEST)
                .requestParameters(
                    Map.of(
                        "integration.request.header." + ApiTasks.CLIENT_ADDRESS,
                        "context.identity.sourceIp"))
                .build())
        .build();
  }

  /** Where it is, without the version. */
  String url() {
    return "https://" + api.getRestApiId() + ".execute-api." + region() + "." + suffix();
  }

  private String region() {
    return software.amazon.awscdk.Stack.of(this).getRegion();
  }

  private String suffix() {
    return software.amazon.awscdk.Stack.of(this).getUrlSuffix();
  }
}
