package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.services.ec2.FlowLogDestination;
import software.amazon.awscdk.services.ec2.FlowLogOptions;
import software.amazon.awscdk.services.ec2.FlowLogTrafficType;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointAwsService;
import software.amazon.awscdk.services.ec2.GatewayVpcEndpointOptions;
import software.amazon.awscdk.services.ec2.ISubnet;
import software.amazon.awscdk.services.ec2.Peer;
import software.amazon.awscdk.services.ec2.Port;
import software.amazon.awscdk.services.ec2.SecurityGroup;
import software.amazon.awscdk.services.ec2.SubnetConfiguration;
import software.amazon.awscdk.services.ec2.SubnetSelection;
import software.amazon.awscdk.services.ec2.SubnetType;
import software.amazon.awscdk.services.ec2.Vpc;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;
import software.constructs.IDependable;

/**
 * The network of the tasks, which cannot be reached from outside. Traffic to DynamoDB and S3 (which
 * holds the layers of images) stays inside and has no cost by the byte. The issuer's keys, the
 * image registry, secrets and logs are reached through NAT.
 */
final class PrivateNetwork extends Construct {
  /** The only port of other networks that the tasks reach. */
  static final int HTTPS = 443;

  private static final int ZONES = 2;

  private final Vpc vpc;
  private final SecurityGroup gateway;
  private final SecurityGroup balancer;
  private final SecurityGroup tasks;

  PrivateNetwork(Construct scope, Stage stage, int listenerPort, int taskPort) {
    super(scope, "Network");
    var log =
        LogGroup.Builder.create(this, "FlowLog")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    this.vpc =
        Vpc.Builder.create(this, "Vpc")
            .maxAzs(ZONES)
            .natGateways(stage.natGateways())
            // Restricting it would need a CDK function with rights to security groups. No resource
            // uses it.
            .restrictDefaultSecurityGroup(false)
            .subnetConfiguration(
                List.of(
                    subnets("public", SubnetType.PUBLIC),
                    subnets("private", SubnetType.PRIVATE_WITH_EGRESS)))
            .gatewayEndpoints(
                new TreeMap<>(
                    Map.of(
                        "Dynamodb", endpoint(GatewayVpcEndpointAwsService.DYNAMODB),
                        "S3", endpoint(GatewayVpcEndpointAwsService.S3))))
            .flowLogs(
                Map.of(
                    "Rejected",
                    FlowLogOptions.builder()
                        .destination(FlowLogDestination.toCloudWatchLogs(log))
                        .trafficType(FlowLogTrafficType.REJECT)
                        .build()))
            .build();
    this.gateway = group("Gateway", "Interfaces of the API gateway");
    this.balancer = group("Balancer", "The load balancer");
    this.tasks = group("Tasks", "Tasks of the API");
    allow(gateway, balancer, listenerPort);
    allow(balancer, tasks, taskPort);
    tasks.addEgressRule(Peer.anyIpv4(), Port.tcp(HTTPS), "AWS by TLS");
  }

  /** Lets the tasks reach a cache in this network. */
  void allowCache(CacheAddress cache) {
    tasks.addEgressRule(
        Peer.ipv4(vpc.getVpcCidrBlock()), Port.tcp(cache.port()), "The shared cache");
  }

  private static void allow(SecurityGroup from, SecurityGroup to, int port) {
    from.addEgressRule(to, Port.tcp(port), "Requests");
    to.addIngressRule(from, Port.tcp(port), "Requests");
  }

  private SecurityGroup group(String id, String description) {
    return SecurityGroup.Builder.create(this, id)
        .vpc(vpc)
        .description(description)
        .allowAllOutbound(false)
        .build();
  }

  private static SubnetConfiguration subnets(String name, SubnetType type) {
    return SubnetConfiguration.builder()
        .name(name)
        .subnetType(type)
        .mapPublicIpOnLaunch(type == SubnetType.PUBLIC ? false : null)
        .build();
  }

  private static GatewayVpcEndpointOptions endpoint(GatewayVpcEndpointAwsService service) {
    return GatewayVpcEndpointOptions.builder().service(service).build();
  }

  Vpc vpc() {
    return vpc;
  }

  /** Returns the dependency that a task needs before it can reach the internet. */
  IDependable internetConnectivity() {
    return vpc.selectSubnets(privateSubnets()).getInternetConnectivityEstablished();
  }

  /** Returns the subnets of the tasks, the balancer and the gateways' link. */
  List<ISubnet> taskSubnets() {
    return vpc.getPrivateSubnets();
  }

  SubnetSelection privateSubnets() {
    return SubnetSelection.builder().subnetType(SubnetType.PRIVATE_WITH_EGRESS).build();
  }

  SecurityGroup gateway() {
    return gateway;
  }

  SecurityGroup balancer() {
    return balancer;
  }

  SecurityGroup tasks() {
    return tasks;
  }
}
