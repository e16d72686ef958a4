package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
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
import software.amazon.awscdk.services.ec2.CfnSecurityGroup;
import software.amazon.awscdk.services.ec2.ISubnet;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.elasticloadbalancingv2.ApplicationLoadBalancer;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The gateway for streamed responses. It forwards bytes as they arrive. The gateway of all other
 * routes buffers a response until it is complete, and ends it after half a minute.
 */
final class StreamGateway extends Construct {
  /** The longest time that a response may take at this gateway. */
  static final Duration LONGEST = Duration.minutes(15);

  /** The routes, relative to {@value #VERSION}. */
  static final List<String> ROUTES = List.of("stream", "users/me/export");

  /**
   * The name of the gateway's stage, which begins every path. So only the host differs from the
   * other gateway.
   */
  private static final String VERSION = "v1";

  private final RestApi api;
  private final LogGroup accessLog;

  StreamGateway(
      Construct scope,
      Inputs inputs,
      UserPoolResource members,
      VpcLink link,
      List<ISubnet> subnets,
      SecurityGroup ofLink,
      ApplicationLoadBalancer balancer) {
    super(scope, "Streams");
    var stage = inputs.stage();
    this.accessLog =
        LogGroup.Builder.create(this, "AccessLog")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    this.api =
        RestApi.Builder.create(this, "Api")
            .restApiName(name(stage))
            .description("A social feed: answers that come bit by bit")
            // A regional endpoint allows five idle minutes, an edge-optimized one only half a
            // minute.
            .endpointTypes(List.of(EndpointType.REGIONAL))
            // An account has one role for the logs of all its REST APIs. It is kept.
            .cloudWatchRole(true)
            .deployOptions(options())
            .build();
    api.getNode().tryRemoveChild("Endpoint");
    // The gateway would create its log of errors itself, and it would never expire.
    var errors =
        LogGroup.Builder.create(this, "ErrorLog")
            .logGroupName("API-Gateway-Execution-Logs_%s/%s".formatted(api.getRestApiId(), VERSION))
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    api.getDeploymentStage().getNode().addDependency(errors);
    api.getLatestDeployment().addToLogicalId(propertiesOfTheLink(subnets, ofLink));
    var authorizer =
        CognitoUserPoolsAuthorizer.Builder.create(this, "Members")
            .cognitoUserPools(List.of(members.pool()))
            .build();
    var options =
        MethodOptions.builder()
            .authorizer(authorizer)
            .authorizationScopes(List.of(UserPoolResource.SCOPE))
            .build();
    var imported =
        software.amazon.awscdk.services.apigateway.VpcLink.fromVpcLinkId(
            this, "Link", link.getVpcLinkId());
    if (inputs.api().apps().exist()) {
      inputs.api().apps().allowRefusals(api);
    }
    for (var route : ROUTES) {
      var uri = "http://%s/%s/%s".formatted(balancer.getLoadBalancerDnsName(), VERSION, route);
      var resource = api.getRoot().resourceForPath(route);
      if (inputs.api().apps().exist()) {
        inputs.api().apps().allow(resource);
      }
      var method = resource.addMethod("GET", streamedFrom(uri, imported), options);
      // The construct supports only links to network balancers; this names the balancer itself.
      ((CfnMethod) method.getNode().getDefaultChild())
          .addPropertyOverride("Integration.IntegrationTarget", balancer.getLoadBalancerArn());
    }
  }

  /**
   * Returns the properties of subnets and group whose change replaces them and with them the link.
   * A deployment keeps the link that it was created with, so it must be replaced too.
   */
  private static List<String> propertiesOfTheLink(List<ISubnet> subnets, SecurityGroup group) {
    var ofSubnets =
        subnets.stream()
            .flatMap(subnet -> Stream.of(subnet.getAvailabilityZone(), subnet.getIpv4CidrBlock()));
    var ofGroup =
        ((CfnSecurityGroup) Objects.requireNonNull(group.getNode().getDefaultChild()))
            .getGroupDescription();
    return Stream.concat(ofSubnets, Stream.of(ofGroup)).toList();
  }

  /** Returns the name of the gateway, which is a dimension of its metrics. */
  static String name(Stage stage) {
    return "feed-%s-streams".formatted(stage.label());
  }

  private StageOptions options() {
    return StageOptions.builder()
        .stageName(VERSION)
        .metricsEnabled(true)
        .loggingLevel(MethodLoggingLevel.ERROR)
        .dataTraceEnabled(false)
        .accessLogDestination(new LogGroupLogDestination(accessLog))
        .accessLogFormat(
            AccessLogFormat.custom(
                """
                {"at":"$context.requestTime","id":"$context.extendedRequestId","method":"$context.httpMethod",\
                "route":"$context.resourcePath","status":"$context.status","bytes":"$context.responseLength",\
                "latency":"$context.responseLatency","first":"$context.integration.timeToFirstContent",\
                "error":"$context.integrationErrorMessage"}\
                """))
        .build();
  }

  private static Integration streamedFrom(
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
                    // Sorted, so that each synthesis gives the same bytes.
                    new TreeMap<>(
                        Map.of(
                            "integration.request.header." + ApiTasks.CLIENT_ADDRESS,
                            "context.identity.sourceIp",
                            "integration.request.header." + ApiTasks.REQUEST_ID,
                            "context.extendedRequestId")))
                .build())
        .build();
  }

  /** Returns the name of the log group of the gateway's requests. */
  String accessLog() {
    return accessLog.getLogGroupName();
  }

  /** Returns the address of the gateway, without the version. */
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
