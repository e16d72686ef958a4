package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.CfnDeletionPolicy;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Size;
import software.amazon.awscdk.services.applicationautoscaling.EnableScalingProps;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.ecr.assets.Platform;
import software.amazon.awscdk.services.ecs.AlarmBehavior;
import software.amazon.awscdk.services.ecs.AssetImageProps;
import software.amazon.awscdk.services.ecs.AwsLogDriverMode;
import software.amazon.awscdk.services.ecs.AwsLogDriverProps;
import software.amazon.awscdk.services.ecs.CfnTaskDefinition;
import software.amazon.awscdk.services.ecs.Cluster;
import software.amazon.awscdk.services.ecs.ContainerDefinitionOptions;
import software.amazon.awscdk.services.ecs.ContainerImage;
import software.amazon.awscdk.services.ecs.ContainerInsights;
import software.amazon.awscdk.services.ecs.CpuArchitecture;
import software.amazon.awscdk.services.ecs.CpuUtilizationScalingProps;
import software.amazon.awscdk.services.ecs.DeploymentAlarmOptions;
import software.amazon.awscdk.services.ecs.DeploymentCircuitBreaker;
import software.amazon.awscdk.services.ecs.FargateService;
import software.amazon.awscdk.services.ecs.FargateTaskDefinition;
import software.amazon.awscdk.services.ecs.HealthCheck;
import software.amazon.awscdk.services.ecs.LogDriver;
import software.amazon.awscdk.services.ecs.OperatingSystemFamily;
import software.amazon.awscdk.services.ecs.PortMapping;
import software.amazon.awscdk.services.ecs.PropagatedTagSource;
import software.amazon.awscdk.services.ecs.RuntimePlatform;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.amazon.awscdk.services.secretsmanager.SecretStringGenerator;
import software.constructs.Construct;

/**
 * The API as tasks without a writable disk and without root. Before a task stops, it is removed
 * from the balancer and answers its open requests; then it receives the signal.
 */
final class ApiTasks extends Construct {
  /** The port that {@code feed-api} listens on. */
  static final int PORT = 8080;

  /**
   * The header that the gateway sets to the client's address. It overwrites a value that the client
   * sent.
   */
  static final String CLIENT_ADDRESS = "Feed-Client-Address";

  /**
   * The header that the gateway sets to its id of the request. It overwrites a value that the
   * client sent.
   */
  static final String REQUEST_ID = "Feed-Request-Id";

  /** Shorter than the minute after which the load balancer closes an idle connection. */
  static final Duration HEARTBEAT = Duration.seconds(15);

  /** Streams end between two events, a minute before the gateway would end them within one. */
  static final Duration STREAMS_LAST =
      Duration.minutes(StreamGateway.LONGEST.toMinutes().intValue() - 1);

  private static final String USER = "10001:10001";
  private static final int CPU_UNITS = 1_024;
  private static final int MEMORY_MB = 2_048;
  private static final int SECRET_LENGTH = 64;
  private static final int CPU_PERCENT = 60;
  private static final Size LOG_BUFFER = Size.mebibytes(25);
  private static final Duration STOP_TIMEOUT = Duration.seconds(30);
  private static final Duration START_PERIOD = Duration.seconds(60);

  private final FargateService service;
  private final Role executionRole;
  private final FargateTaskDefinition definition;
  private final Secret cursorSecret;
  private final String image;
  private final LogGroup log;

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
    keepEarlierOnes(definition);
    this.cursorSecret = cursorSecret(this, stage);
    this.log =
        LogGroup.Builder.create(this, "Log")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    this.image = definition.addContainer("api", container(inputs, table, members)).getImageName();
    TableAccess.OF_API
        .statements(TableAddress.arn(this, table))
        .forEach(definition::addToTaskRolePolicy);
    MediaAccess.OF_API.statements(this, inputs).forEach(definition::addToTaskRolePolicy);
    SearchAccess.OF_API.statements(this, inputs).forEach(definition::addToTaskRolePolicy);
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
            .healthCheckGracePeriod(START_PERIOD)
            .propagateTags(PropagatedTagSource.SERVICE)
            .securityGroups(List.of(network.tasks()))
            .vpcSubnets(network.privateSubnets())
            .build();
    // Without these, tasks cannot pull their image, and the first deployment is rolled back.
    service.getNode().addDependency(network.internetConnectivity(), executionRole);
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

  /**
   * Keeps earlier definitions registered, because a service goes back to one of these only. They
   * cost nothing.
   */
  private static void keepEarlierOnes(FargateTaskDefinition definition) {
    if (definition.getNode().getDefaultChild() instanceof CfnTaskDefinition resource) {
      resource.getCfnOptions().setUpdateReplacePolicy(CfnDeletionPolicy.RETAIN);
      resource.getCfnOptions().setDeletionPolicy(CfnDeletionPolicy.DELETE);
    }
  }

  private Role role(String id) {
    return Role.Builder.create(this, id)
        .assumedBy(new ServicePrincipal("ecs-tasks.amazonaws.com"))
        .build();
  }

  private ContainerDefinitionOptions container(
      Inputs inputs, String table, UserPoolResource members) {
    return ContainerDefinitionOptions.builder()
        .image(image(inputs))
        // A JVM may see the memory of the machine below the task, and not the limit of the task.
        .memoryLimitMiB(MEMORY_MB)
        .user(USER)
        .readonlyRootFilesystem(true)
        .portMappings(List.of(PortMapping.builder().containerPort(PORT).build()))
        .environment(environment(inputs, table, members))
        .secrets(secrets(inputs))
        .healthCheck(
            HealthCheck.builder()
                .command(List.of("CMD", "/app/healthy"))
                .startPeriod(START_PERIOD)
                .build())
        .stopTimeout(STOP_TIMEOUT)
        .logging(
            LogDriver.awsLogs(
                AwsLogDriverProps.builder()
                    .logGroup(log)
                    .streamPrefix("api")
                    // A log that does not answer must not stop the API. Lines are lost instead.
                    .mode(AwsLogDriverMode.NON_BLOCKING)
                    .maxBufferSize(LOG_BUFFER)
                    .build()))
        .build();
  }

  /** Lets the execution role read each secret. */
  private Map<String, software.amazon.awscdk.services.ecs.Secret> secrets(Inputs inputs) {
    var secrets = new TreeMap<>(inputs.api().cursorRotation().variables(cursorSecret));
    inputs
        .distribution()
        .keySecret()
        .ifPresent(
            arn ->
                secrets.put(
                    "FEED_MEDIA_DISTRIBUTION_PRIVATE_KEY",
                    software.amazon.awscdk.services.ecs.Secret.fromSecretsManager(
                        Secret.fromSecretCompleteArn(this, "MediaKey", arn))));
    return secrets;
  }

  private ContainerImage image(Inputs inputs) {
    return inputs
        .api()
        .image()
        .map(published -> published.in(this))
        .orElseGet(
            () ->
                ContainerImage.fromAsset(
                    inputs.api().imageDirectory().toString(),
                    AssetImageProps.builder().platform(Platform.LINUX_ARM64).build()));
  }

  /** Returns the variables that the API has as a service and as a function. */
  static Map<String, String> sharedEnvironment(
      Construct scope, Inputs inputs, String table, UserPoolResource members) {
    var environment = new TreeMap<String, String>();
    environment.put("FEED_AUTH_AUDIENCE", members.audience());
    environment.put("FEED_AUTH_ISSUER", members.issuer());
    environment.put("FEED_AUTH_JWKS_URL", members.keys());
    environment.put("FEED_AUTH_OPERATOR_AUDIENCE", members.operatorAudience());
    environment.put("FEED_AUTH_OPERATOR_SCOPE", UserPoolResource.OPERATOR_SCOPE);
    if (inputs.api().apps().exist()) {
      environment.put("FEED_CORS_ORIGINS", String.join(",", inputs.api().apps().origins()));
    }
    environment.put("FEED_DYNAMODB_REGION", inputs.region());
    environment.put("FEED_DYNAMODB_TABLE", table);
    environment.put("FEED_LOG_FORMAT", "json");
    environment.put("FEED_LOG_METRICS", "true");
    environment.put("FEED_LOG_REQUEST_ID_HEADER", REQUEST_ID);
    environment.put("FEED_RANKING_HALF_LIFE", inputs.trendHalfLife());
    environment.putAll(inputs.traces().ofApi());
    environment.putAll(MediaAccess.variables(scope, inputs));
    environment.putAll(SearchAccess.variables(scope, inputs));
    environment.putAll(inputs.sinks().ofApi());
    environment.putAll(MediaDistribution.variables(scope, inputs));
    return environment;
  }

  private Map<String, String> environment(Inputs inputs, String table, UserPoolResource members) {
    var environment = new TreeMap<>(sharedEnvironment(this, inputs, table, members));
    inputs.api().cache().ifPresent(cache -> environment.putAll(cache.variables()));
    environment.put("FEED_LIMITS_RATE_ADDRESS_HEADER", CLIENT_ADDRESS);
    environment.put("FEED_LIVE_HEARTBEAT", HEARTBEAT.toIsoString());
    environment.put("FEED_LIVE_LASTS", STREAMS_LAST.toIsoString());
    // The server's default is loopback only.
    environment.put("MICRONAUT_SERVER_HOST", "0.0.0.0");
    environment.put("MICRONAUT_SERVER_PORT", Integer.toString(PORT));
    return environment;
  }

  /**
   * Creates the secret that all processes of the API sign cursors with. It is generated once and is
   * in no template.
   */
  static Secret cursorSecret(Construct scope, Stage stage) {
    return Secret.Builder.create(scope, "CursorSecret")
        .description("What the API signs cursors with")
        .generateSecretString(
            SecretStringGenerator.builder()
                .passwordLength(SECRET_LENGTH)
                .excludePunctuation(true)
                .build())
        .removalPolicy(stage.removal())
        .build();
  }

  FargateService service() {
    return service;
  }

  /**
   * Ends a deployment and brings the previous definition back when an alarm goes off.
   *
   * @param name the name of the alarm; a reference to it would be a cycle of resources
   */
  void rollBackOn(Alarm alarm, String name) {
    service.enableDeploymentAlarms(
        List.of(name),
        DeploymentAlarmOptions.builder().behavior(AlarmBehavior.ROLLBACK_ON_ALARM).build());
    service.getNode().addDependency(alarm);
  }

  /** Returns the name of the log group of the tasks. */
  String logGroup() {
    return log.getLogGroupName();
  }

  /** Returns the ARN of the secret that signs cursors. */
  String cursorSecretArn() {
    return cursorSecret.getSecretArn();
  }

  /** Returns the name of the image that the tasks run. */
  String image() {
    return image;
  }

  /** Returns the ARN of the definition that the tasks run, with its revision. */
  String definitionArn() {
    return definition.getTaskDefinitionArn();
  }

  /** Publishes the names of cluster and service as parameters for the stack of the alarms. */
  void publish(Stage stage) {
    SsmParameter.CLUSTER.publish(this, stage, service.getCluster().getClusterName());
    SsmParameter.SERVICE.publish(this, stage, service.getServiceName());
  }

  /** Returns {@code service/CLUSTER/NAME}, the id of the service for its scaling. */
  String resourceId() {
    return "service/%s/%s"
        .formatted(service.getCluster().getClusterName(), service.getServiceName());
  }
}
