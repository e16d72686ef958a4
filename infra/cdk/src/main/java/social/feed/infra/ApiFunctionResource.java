package social.feed.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Annotations;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.codedeploy.LambdaApplication;
import software.amazon.awscdk.services.iam.ManagedPolicy;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.SnapStartConf;
import software.amazon.awscdk.services.lambda.VersionOptions;
import software.amazon.awscdk.services.logs.LogGroup;
import software.amazon.awscdk.services.secretsmanager.Secret;
import software.constructs.Construct;

/**
 * The API as a function in no network. The gateway calls its alias, because only published versions
 * have snapshots.
 */
final class ApiFunctionResource extends Construct {
  /** The class that Lambda calls. No class of the API is on the class path of the stacks. */
  static final String HANDLER = "social.feed.api.function.ApiFunction";

  static final String ALIAS = "live";

  /** Shorter than the gateway waits, so that its log has the reason. */
  private static final Duration TIMEOUT = Duration.seconds(28);

  private static final int MEMORY_MB = 2_048;

  private final Function function;
  private final Alias alias;
  private final Secret cursorSecret;
  private final LogGroup log;

  ApiFunctionResource(
      Construct scope, Inputs inputs, String table, UserPoolResource members, HttpApi gateway) {
    super(scope, "Api");
    var stage = inputs.stage();
    this.cursorSecret = ApiTasks.cursorSecret(this, stage);
    this.log =
        LogGroup.Builder.create(this, "Log")
            .retention(stage.logsKept())
            .removalPolicy(stage.removal())
            .build();
    var role =
        Role.Builder.create(this, "Role")
            .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
            .build();
    var rights = rights(role, table, log, inputs);
    var builder =
        Function.Builder.create(this, "Function")
            .description("The REST API")
            .runtime(Runtime.JAVA_25)
            .architecture(Architecture.ARM_64)
            .handler(HANDLER)
            .code(Code.fromAsset(inputs.api().functionZip().toString()))
            .memorySize(MEMORY_MB)
            .timeout(TIMEOUT)
            .snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS)
            .currentVersionOptions(
                VersionOptions.builder()
                    .description(read(members))
                    // As for the lanes, a version of a release that was taken back is deleted.
                    .removalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
                    .build())
            .environment(environment(inputs, table, members))
            .layers(SearchAccess.layers(this, inputs))
            .role(role.withoutPolicyUpdates())
            .tracing(inputs.traces().ofFunction())
            .logGroup(log)
            .loggingFormat(LoggingFormat.JSON);
    if (stage.apiConcurrency() > 0) {
      builder.reservedConcurrentExecutions(stage.apiConcurrency());
    }
    this.function = builder.build();
    // A version reads the secret and the table before its snapshot.
    function.getNode().addDependency(rights);
    Annotations.of(function)
        .acknowledgeWarning(
            "@aws-cdk/aws-lambda:snapStartRequirePublish", "The gateway calls a version");
    function.invalidateVersionBasedOn(
        inputs
            .otherTable()
            .map(ExistingTable::name)
            .orElse(stage.table().partitionKey() + " " + stage.table().sortKey()));
    this.alias =
        Alias.Builder.create(this, "Alias")
            .aliasName(ALIAS)
            .description("What the gateway calls; only published versions have snapshots")
            .version(function.getCurrentVersion())
            .build();
    SsmParameter.API_FUNCTION.publish(this, stage, function.getFunctionName());
    if (stage.shiftsReleases()) {
      var alarms = new ArrayList<Alarm>();
      alarms.add(ReleaseAlarms.ofApiFunction(this, alias));
      if (!inputs.repair()) {
        alarms.add(ReleaseAlarms.ofResponses(this, gateway));
      }
      VersionShift.of(
          this,
          "Release",
          LambdaApplication.Builder.create(this, "Releases").build(),
          alias,
          stage,
          alarms);
    }
  }

  /**
   * Returns what the snapshot of a version has read, for the description of the version. A user
   * pool or a secret that CloudFormation replaces keeps its name in the template, and changes this
   * text when it is deployed. A version with another text is another version.
   */
  private String read(UserPoolResource members) {
    return String.join(
        " ",
        members.issuer(),
        members.audience(),
        members.operatorAudience(),
        cursorSecret.getSecretArn());
  }

  private Map<String, String> environment(Inputs inputs, String table, UserPoolResource members) {
    var environment = new TreeMap<>(ApiTasks.sharedEnvironment(this, inputs, table, members));
    environment.put("FEED_FUNCTION_CURSOR_SECRET_ARN", cursorSecret.getSecretArn());
    environment.put(
        "FEED_LIMITS_RATE_BURST", Integer.toString(2 * inputs.stage().requestsOfCaller()));
    environment.put(
        "FEED_LIMITS_RATE_PER_SECOND", Integer.toString(inputs.stage().requestsOfCaller()));
    environment.putAll(inputs.api().cursorRotation().stages());
    inputs
        .distribution()
        .keySecret()
        .ifPresent(arn -> environment.put("FEED_FUNCTION_MEDIA_KEY_SECRET_ARN", arn));
    return environment;
  }

  private ManagedPolicy rights(Role role, String table, LogGroup log, Inputs inputs) {
    var statements = new ArrayList<PolicyStatement>(inputs.traces().rights());
    statements.addAll(TableAccess.OF_API.statements(TableAddress.arn(this, table)));
    statements.addAll(MediaAccess.OF_API.statements(this, inputs));
    statements.addAll(SearchAccess.OF_API.statements(this, inputs));
    var secrets = new ArrayList<>(List.of(cursorSecret.getSecretArn()));
    inputs.distribution().keySecret().ifPresent(secrets::add);
    statements.add(TableAccess.allow(List.of("secretsmanager:GetSecretValue"), secrets));
    statements.add(
        TableAccess.allow(
            List.of("logs:CreateLogStream", "logs:PutLogEvents"), List.of(log.getLogGroupArn())));
    return ManagedPolicy.Builder.create(this, "Rights")
        .description("What the API may do")
        .roles(List.of(role))
        .statements(statements)
        .build();
  }

  Function function() {
    return function;
  }

  /** Returns what the gateway calls. */
  Alias alias() {
    return alias;
  }

  /** Returns the name of the log group. */
  String logGroup() {
    return log.getLogGroupName();
  }

  /** Returns the ARN of the secret that signs cursors. */
  String cursorSecretArn() {
    return cursorSecret.getSecretArn();
  }
}
