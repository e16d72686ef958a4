package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.applicationautoscaling.EnableScalingProps;
import software.amazon.awscdk.services.ecr.assets.Platform;
import software.amazon.awscdk.services.ecs.AssetImageProps;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.Cluster;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.ContainerImage;
import software.amazon.awscdk.services.ecs.ContainerInsights;
import software.amazon.awscdk.services.ecs.CpuArchitecture;
import software.amazon.awscdk.services.ecs.CpuUtilizationScalingProps;
import software.amazon.awscdk.services.ecs.DeploymentCircuitBreaker;
import software.amazon.awscdk.services.ecs.FargateService;
import software.amazon.awscdk.services.ecs.FargateTaskDefinition;
import software.amazon.awscdk.services.ecs.HealthCheck;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.OperatingSystemFamily;
import software.amazon.awscdk.services.ecs.PortMapping;
import software.amazon.awscdk.services.ecs.PropagatedTagSource;
import software.amazon.awscdk.services.ecs.RuntimePlatform;
import software.amazon.awscdk.services.ecs.Secret;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.secretsmanager.SecretStringGenerator;
import software.constructs.Construct;

/**
 * The API as tasks without a disk and without root. A task that is to stop is first taken out of
 * the balancer, answers what it was asked, and only then gets its signal.
 */
final class ApiTasks extends Construct {
  /** Where {@code feed-api} listens. */
  static final int PORT = 8080;

  /** The header that the gateway sets to the client's address, whatever the client sent. */
  static final String CLIENT_ADDRESS = "Feed-Client-Address";

  /** By default the load balancer closes a connection that is silent for a minute. */
  static final Duration HEARTBEAT = Duration.seconds(15);

  /** They end by themselves, between two events, before the gateway ends them in one. */
  static final Duration STREAMS_LAST =
      Duration.minutes(StreamGateway.LONGEST.toMinutes().intValue() - 1);

  private static final String USER = "10001:10001";
  private static final int CPU_UNITS = 1_024;
  private static final int MEMORY_MB = 2_048;
  private static final int SECRET_LENGTH = 64;
  private static final int CPU_PERCENT = 60;
  private static final Duration UNTIL_KILLED = Duration.seconds(30);
  private static final Duration UNTIL_CHECKED = Duration.seconds(60);

  private final FargateService service;
  private final Role executionRole;
  private final FargateTaskDefinition definition;

  ApiTasks(
      Construct scope,
      Inputs inputs,
      String table,
      PrivateNetwork network,
      UserPoolResource members) {
    super(scope, "Tasks");
    var stage = inputs.stage();
    this.executionRole = role("ExecutionRole");
    this.definition = definition();
    definition.addContainer("api", container(inputs, table, members));
    TableAccess.OF_API
        .statements(TableAddress.arn(this, table))
        .forEach(definition::addToTaskRolePolicy);
    var cluster =
        Cluster.Builder.create(this, "Cluster")
            .vpc(network.vpc())
            .containerInsightsV2(ContainerInsights.ENABLED)
            .build();
    this.service =
        FargateService.Builder.create(this, "Service")
            .cluster(cluster)
            .taskDefinition(definition)
            .minHealthyPercent(100)
            .maxHealthyPercent(200)
            .circuitBreaker(DeploymentCircuitBreaker.builder().rollback(true).build())
            .healthCheckGracePeriod(UNTIL_CHECKED)
            .propagateTags(PropagatedTagSource.SERVICE)
            .securityGroups(List.of(network.tasks()))
            .vpcSubnets(network.inside())
            .build();
    // Tasks that cannot get at their image would have the first deployment taken back.
    service.getNode().addDependency(network.wayOut(), executionRole);
    service
        .autoScaleTaskCount(
            EnableScalingProps.builder()
                .minCapacity(stage.tasksMin())
                .maxCapacity(stage.tasksMax())
                .build())
        .scaleOnCpuUtilization(
            "Cpu",
            CpuUtilizationScalingProps.builder().targetUtilizationPercent(CPU_PERCENT).build());
  }

  private FargateTaskDefinition definition() {
    return FargateTaskDefinition.Builder.create(this, "Definition")
        .cpu(CPU_UNITS)
        .memoryLimitMiB(MEMORY_MB)
        .runtimePlatform(
            RuntimePlatform.builder()
                .cpuArchitecture(CpuArchitecture.ARM64)
                .operatingSystemFamily(OperatingSystemFamily.LINUX)
                .build())
        .taskRole(role("TaskRole"))
        .executionRole(executionRole)
        .build();
  }

  private Role role(String id) {
    return Role.Builder.create(this, id)
        .assumedBy(new ServicePrincipal("ecs-tasks.amazonaws.com"))
        .build();
  }

  private ContainerDefinitionOptions container(
      Inputs inputs, String table, UserPoolResource members) {
    var stage = inputs.stage();
    var log =
        LogGroup.Builder.create(this, "Log")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    return ContainerDefinitionOptions.builder()
        .image(
            ContainerImage.fromAsset(
                inputs.imageDirectory().toString(),
                AssetImageProps.builder().platform(Platform.LINUX_ARM64).build()))
        .user(USER)
        .readonlyRootFilesystem(true)
        .portMappings(List.of(PortMapping.builder().containerPort(PORT).build()))
        .environment(environment(inputs, table, members))
        .secrets(Map.of("FEED_CURSOR_SECRET", cursorSecret(stage)))
        .healthCheck(
            HealthCheck.builder()
                .command(List.of("CMD", "/app/healthy"))
                .startPeriod(UNTIL_CHECKED)
                .build())
        .stopTimeout(UNTIL_KILLED)
        .logging(
            LogDriver.awsLogs(
                AwsLogDriverProps.builder().logGroup(log).streamPrefix("api").build()))
        .build();
  }

  private static Map<String, String> environment(
      Inputs inputs, String table, UserPoolResource members) {
    var environment = new TreeMap<String, String>();
    environment.put("FEED_AUTH_AUDIENCE", members.audience());
    environment.put("FEED_AUTH_ISSUER", members.issuer());
    environment.put("FEED_AUTH_JWKS_URL", members.keys());
    environment.put("FEED_DYNAMODB_REGION", inputs.region());
    environment.put("FEED_DYNAMODB_TABLE", table);
    environment.put("FEED_LIMITS_RATE_ADDRESS_HEADER", CLIENT_ADDRESS);
    environment.put("FEED_LIVE_HEARTBEAT", HEARTBEAT.toIsoString());
    environment.put("FEED_LIVE_LASTS", STREAMS_LAST.toIsoString());
    environment.put("FEED_RANKING_HALF_LIFE", inputs.trendHalfLife());
    // By itself the server listens on loopback only.
    environment.put("MICRONAUT_SERVER_HOST", "0.0.0.0");
    environment.put("MICRONAUT_SERVER_PORT", Integer.toString(PORT));
    return environment;
  }

  /** Made once and never seen: every task signs cursors with the same one. */
  private Secret cursorSecret(Stage stage) {
    var secret =
        software.amazon.awscdk.services.secretsmanager.Secret.Builder.create(this, "CursorSecret")
            .description("What the API signs cursors with")
            .generateSecretString(
                SecretStringGenerator.builder()
                    .passwordLength(SECRET_LENGTH)
                    .excludePunctuation(true)
                    .build())
            .removalPolicy(stage.removal())
            .build();
    return Secret.fromSecretsManager(secret);
  }

  FargateService service() {
    return service;
  }

  /** {@code service/CLUSTER/NAME}. */
  String resourceId() {
    return "service/%s/%s"
        .formatted(service.getCluster().getClusterName(), service.getServiceName());
  }
}
