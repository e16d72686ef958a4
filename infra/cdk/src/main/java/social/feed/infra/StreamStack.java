package social.feed.infra;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import social.feed.streams.LaneMapping;
import social.feed.streams.LanePatterns;
import social.feed.streams.lambda.MultiplexerFunction;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.declaration.Retention;
import software.amazon.awscdk.Annotations;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.codedeploy.LambdaApplication;
import software.amazon.awscdk.services.iam.ManagedPolicy;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Alias;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.DestinationConfigProperty;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.FilterCriteriaProperty;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.FilterProperty;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.MetricsConfigProperty;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.OnFailureProperty;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.ILayerVersion;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.lambda.SnapStartConf;
import software.amazon.awscdk.services.lambda.VersionOptions;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The two functions of the multiplexer, one for each lane, and the event source mappings that
 * deliver the table's stream to them.
 */
final class StreamStack extends Stack {
  /**
   * Lambda's own maximum: 10 000 records, or 6 MB. Counting writes each counted item once a batch,
   * so large batches are cheap.
   */
  private static final int COUNTS_BATCH = 10_000;

  /** Small enough to end within the time of a call, even if each effect is a fan-out to 499. */
  private static final int EFFECTS_BATCH = 500;

  /**
   * Enough for a table that throttles for minutes. After these attempts, the batch is kept in the
   * bucket.
   */
  private static final int EFFECTS_ATTEMPTS = 100;

  private static final Duration TIMEOUT = Duration.ofMinutes(15);
  private static final int MEMORY_MB = 2_048;
  private static final int UNLIMITED = -1;

  private final Map<Lane, Function> functions = new EnumMap<>(Lane.class);
  private final Stage stage;
  private final DataStack data;
  private final TableAddress table;
  private final LambdaApplication releases;
  private final SinkInputs sinks;
  private final boolean isRepair;
  private final List<ILayerVersion> layers;

  StreamStack(Construct scope, String id, StackProps props, Inputs inputs, DataStack data) {
    super(scope, id, props);
    this.stage = inputs.stage();
    this.data = data;
    this.sinks = inputs.sinks();
    this.isRepair = inputs.repair();
    this.table =
        new TableAddress(
            SsmParameter.TABLE_NAME.in(this, stage), SsmParameter.TABLE_STREAM.in(this, stage));
    var logs =
        LogGroup.Builder.create(this, "Log")
            .retention(inputs.stage().logsKept())
            .removalPolicy(inputs.stage().removal())
            .build();
    var role =
        Role.Builder.create(this, "Role")
            .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
            .build();
    this.layers = SearchAccess.layers(this, inputs);
    var rights = rights(role, logs, inputs);
    for (var lane : Lane.values()) {
      functions.put(lane, function(lane, inputs, role, rights, logs));
    }
    this.releases = LambdaApplication.Builder.create(this, "Releases").build();
    var counts = mapping(Lane.COUNTS).batchSize(COUNTS_BATCH).build();
    SsmParameter.COUNTS_MAPPING.publish(this, stage, counts.getRef());
    var effects =
        mapping(Lane.EFFECTS)
            .batchSize(EFFECTS_BATCH)
            .destinationConfig(
                DestinationConfigProperty.builder()
                    .onFailure(
                        OnFailureProperty.builder()
                            .destination(data.failedBatches().getBucketArn())
                            .build())
                    .build())
            .build();
    SsmParameter.EFFECTS_MAPPING.publish(this, stage, effects.getRef());
    if (sinks.areOn()) {
      var variables = environment(inputs);
      variables.keySet().removeAll(MediaAccess.variables(this, inputs).keySet());
      var publishing = new SinkResource(this, inputs, data, table, logs, variables, layers);
      SsmParameter.SINKS_FUNCTION.publish(this, stage, publishing.function().getFunctionName());
    }
    CfnOutput.Builder.create(this, "FunctionLog")
        .description("Log of both functions")
        .value(logs.getLogGroupName())
        .build();
    functions.forEach(
        (lane, function) ->
            CfnOutput.Builder.create(this, name(lane) + "FunctionName")
                .description("Name of the function of the lane " + lane.alias())
                .value(function.getFunctionName())
                .build());
  }

  /**
   * Creates the function of a lane. Both have the same package. Each has its own concurrency, so
   * that effects never keep counts from being written until the stream forgets their records.
   */
  private Function function(
      Lane lane, Inputs inputs, Role role, ManagedPolicy rights, LogGroup logs) {
    var builder =
        Function.Builder.create(this, name(lane) + "Function")
            .description("The multiplexer, lane " + lane.alias())
            .runtime(Runtime.JAVA_25)
            .architecture(Architecture.ARM_64)
            .handler(MultiplexerFunction.class.getName())
            .code(Code.fromAsset(inputs.functionZip().toString()))
            .memorySize(MEMORY_MB)
            .timeout(seconds(TIMEOUT))
            .snapStart(SnapStartConf.ON_PUBLISHED_VERSIONS)
            // A rollback needs the previous version. A version of a release that was taken back
            // is deleted, or the same code could not be released again.
            .currentVersionOptions(
                VersionOptions.builder()
                    .removalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE)
                    .build())
            .environment(environment(inputs))
            .layers(layers)
            .role(role.withoutPolicyUpdates())
            .tracing(inputs.traces().ofFunction())
            .logGroup(logs)
            .loggingFormat(LoggingFormat.JSON);
    if (lane == Lane.COUNTS && inputs.countsConcurrency() > 0) {
      builder.reservedConcurrentExecutions(inputs.countsConcurrency());
    }
    var function = builder.build();
    // A version reads the table before its snapshot, and Lambda checks the role for each mapping.
    function.getNode().addDependency(rights);
    Annotations.of(function)
        .acknowledgeWarning(
            "@aws-cdk/aws-lambda:snapStartRequirePublish", "The stream is given to a version");
    // A version keeps the variables that it was published with. So another table needs another
    // version. The table differs when an input names it, or when CloudFormation replaces it because
    // its keys change.
    function.invalidateVersionBasedOn(
        inputs
            .otherTable()
            .map(ExistingTable::name)
            .orElse(stage.table().partitionKey() + " " + stage.table().sortKey()));
    return function;
  }

  private TreeMap<String, String> environment(Inputs inputs) {
    var environment = new TreeMap<String, String>();
    environment.put("FEED_MULTIPLEXER_TABLE", table.name());
    environment.put("FEED_MULTIPLEXER_DEAD_LETTER_QUEUE_URL", data.deadLetters().getQueueUrl());
    environment.put("FEED_MULTIPLEXER_EVENT_QUEUE_URL", data.events().getQueueUrl());
    environment.put("FEED_MULTIPLEXER_TREND_HALF_LIFE", inputs.trendHalfLife());
    environment.put(
        "FEED_MULTIPLEXER_ERASURE_SWEEP_UNITS", Integer.toString(stage.erasureSweepUnits()));
    environment.put(
        "FEED_MULTIPLEXER_ERASURE_REMOVAL_UNITS", Integer.toString(stage.erasureRemovalUnits()));
    environment.putAll(inputs.traces().ofLanes());
    environment.putAll(MediaAccess.variables(this, inputs));
    environment.putAll(sinks.variables(this, stage));
    environment.putAll(SearchAccess.variables(this, inputs));
    return environment;
  }

  private CfnEventSourceMapping.Builder mapping(Lane lane) {
    var mapping = LaneMapping.of(lane);
    var builder =
        CfnEventSourceMapping.Builder.create(this, name(lane))
            .functionName(alias(lane).getFunctionArn())
            .eventSourceArn(table.stream())
            .startingPosition("TRIM_HORIZON")
            .functionResponseTypes(List.of("ReportBatchItemFailures"))
            .metricsConfig(MetricsConfigProperty.builder().metrics(List.of("EventCount")).build())
            .filterCriteria(FilterCriteriaProperty.builder().filters(filters(lane)).build())
            .parallelizationFactor(mapping.batchesOfAShard())
            .bisectBatchOnFunctionError(!mapping.everyRecord())
            .maximumRetryAttempts(mapping.everyRecord() ? UNLIMITED : EFFECTS_ATTEMPTS)
            .maximumRecordAgeInSeconds(
                mapping.everyRecord() ? UNLIMITED : Retention.EFFECTS_RECORD_AGE.toSeconds());
    if (mapping.batchingWindow().isPositive()) {
      builder.maximumBatchingWindowInSeconds(mapping.batchingWindow().toSeconds());
    }
    mapping
        .tumblingWindow()
        .ifPresent(window -> builder.tumblingWindowInSeconds(window.toSeconds()));
    return builder;
  }

  /** Creates the alias of a lane, from which the function knows its lane. */
  private Alias alias(Lane lane) {
    var alias =
        Alias.Builder.create(this, name(lane) + "Alias")
            .aliasName(lane.alias())
            .description("What the stream is given to; only published versions have snapshots")
            .version(function(lane).getCurrentVersion())
            .build();
    var alarms = new ArrayList<>(List.of(ReleaseAlarms.ofLane(this, name(lane), alias)));
    if (!isRepair) {
      alarms.add(ReleaseAlarms.ofDeadLetters(this, lane, table.name()));
    }
    VersionShift.of(this, name(lane) + "Release", releases, alias, stage, alarms);
    return alias;
  }

  private List<FilterProperty> filters(Lane lane) {
    List<SortedMap<String, Object>> patterns =
        sinks.areOn() ? LanePatterns.withEvents(lane) : LanePatterns.of(lane);
    return patterns.stream()
        .map(pattern -> FilterProperty.builder().pattern(toJsonString(pattern)).build())
        .toList();
  }

  private ManagedPolicy rights(Role role, LogGroup logs, Inputs inputs) {
    var statements = new ArrayList<PolicyStatement>(inputs.traces().rights());
    statements.addAll(TableAccess.OF_MULTIPLEXER.statements(TableAddress.arn(this, table.name())));
    statements.add(
        TableAccess.allow(
            List.of("dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"),
            List.of(table.stream())));
    // The only action here that has no resource in IAM.
    statements.add(TableAccess.allow(List.of("dynamodb:ListStreams"), List.of("*")));
    statements.add(
        TableAccess.allow(
            List.of("sqs:SendMessage"),
            List.of(data.deadLetters().getQueueArn(), data.events().getQueueArn())));
    statements.addAll(MediaAccess.OF_MULTIPLEXER.statements(this, inputs));
    statements.addAll(SearchAccess.OF_LANES.statements(this, inputs));
    if (sinks.areOn()) {
      statements.add(
          TableAccess.allow(List.of("sqs:SendMessage"), List.of(SinkInputs.queueArn(this, stage))));
    }
    statements.add(
        TableAccess.allow(List.of("s3:ListBucket"), List.of(data.failedBatches().getBucketArn())));
    statements.add(
        TableAccess.allow(
            List.of("s3:PutObject"), List.of(data.failedBatches().arnForObjects("*"))));
    statements.add(
        TableAccess.allow(
            List.of("logs:CreateLogStream", "logs:PutLogEvents"), List.of(logs.getLogGroupArn())));
    return ManagedPolicy.Builder.create(this, "Rights")
        .description("What the multiplexer may do, and Lambda in its name")
        .roles(List.of(role))
        .statements(statements)
        .build();
  }

  /** Returns the name of a lane in ids. */
  static String name(Lane lane) {
    return lane == Lane.COUNTS ? "Counts" : "Effects";
  }

  private static software.amazon.awscdk.Duration seconds(Duration duration) {
    return software.amazon.awscdk.Duration.seconds(duration.toSeconds());
  }

  /** Returns the function of a lane. */
  Function function(Lane lane) {
    return requireNonNull(functions.get(lane));
  }
}
