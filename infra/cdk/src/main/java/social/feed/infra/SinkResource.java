package social.feed.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import social.feed.streams.lambda.SinkFunction;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.ManagedPolicy;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.Role;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.lambda.Architecture;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping;
import software.amazon.awscdk.services.lambda.CfnEventSourceMapping.ScalingConfigProperty;
import software.amazon.awscdk.services.lambda.Code;
import software.amazon.awscdk.services.lambda.Function;
import software.amazon.awscdk.services.lambda.ILayerVersion;
import software.amazon.awscdk.services.lambda.LoggingFormat;
import software.amazon.awscdk.services.lambda.RecursiveLoop;
import software.amazon.awscdk.services.lambda.Runtime;
import software.amazon.awscdk.services.logs.LogGroup;
import software.constructs.Construct;

/**
 * The function that publishes events, and what gives it the messages of its queue. It waits for
 * other systems most of its time and no one waits for it, so it has no snapshot and no alias.
 */
final class SinkResource extends Construct {
  /** Much longer than a message takes: a read of the table, and ten seconds of a publisher. */
  static final Duration TIMEOUT = Duration.minutes(2);

  /** SQS hands a message out again after six times the function's timeout, as Lambda advises. */
  static final Duration HIDDEN = Duration.minutes(12);

  private static final int BATCH = 10;
  private static final int CONCURRENCY = 10;
  private static final int MEMORY_MB = 1_024;

  private final Function function;

  SinkResource(
      Construct scope,
      Inputs inputs,
      DataStack data,
      TableAddress table,
      LogGroup logs,
      Map<String, String> variables,
      List<ILayerVersion> layers) {
    super(scope, "Sinks");
    var role =
        Role.Builder.create(this, "Role")
            .assumedBy(new ServicePrincipal("lambda.amazonaws.com"))
            .build();
    var rights =
        ManagedPolicy.Builder.create(this, "Rights")
            .description("What the function that publishes events may do, and Lambda in its name")
            .roles(List.of(role))
            .statements(rights(inputs, data, table, logs))
            .build();
    this.function =
        Function.Builder.create(this, "Function")
            .description("Publishes events for other systems")
            .runtime(Runtime.JAVA_25)
            .architecture(Architecture.ARM_64)
            .handler(SinkFunction.class.getName())
            .code(Code.fromAsset(inputs.functionZip().toString()))
            .memorySize(MEMORY_MB)
            .timeout(TIMEOUT)
            // What a sink does not accept goes back to the queue, for a day. By default Lambda ends
            // such a chain after some sixteen calls.
            .recursiveLoop(RecursiveLoop.ALLOW)
            .environment(variables)
            .layers(layers)
            .role(role.withoutPolicyUpdates())
            .logGroup(logs)
            .loggingFormat(LoggingFormat.JSON)
            .build();
    function.getNode().addDependency(rights);
    CfnEventSourceMapping.Builder.create(this, "Mapping")
        .functionName(function.getFunctionArn())
        .eventSourceArn(SinkInputs.queueArn(Stack.of(this), inputs.stage()))
        .batchSize(BATCH)
        .functionResponseTypes(List.of("ReportBatchItemFailures"))
        .scalingConfig(ScalingConfigProperty.builder().maximumConcurrency(CONCURRENCY).build())
        .build();
  }

  private List<PolicyStatement> rights(
      Inputs inputs, DataStack data, TableAddress table, LogGroup logs) {
    var stack = Stack.of(this);
    var sinks = inputs.sinks();
    var statements = new ArrayList<PolicyStatement>();
    statements.add(
        TableAccess.allow(
            TableAccess.OF_SINKS.onTable(), List.of(TableAddress.arn(this, table.name()))));
    if (sinks.hasWebhooks()) {
      statements.add(TableAccess.OF_WEBHOOKS.onWebhooks(TableAddress.arn(this, table.name())));
    }
    statements.add(
        TableAccess.allow(
            List.of(
                "sqs:DeleteMessage",
                "sqs:GetQueueAttributes",
                "sqs:ReceiveMessage",
                "sqs:SendMessage"),
            List.of(SinkInputs.queueArn(stack, inputs.stage()))));
    statements.add(
        TableAccess.allow(List.of("sqs:SendMessage"), List.of(data.deadLetters().getQueueArn())));
    if (sinks.hasEventBridge()) {
      statements.add(
          TableAccess.allow(
              List.of("events:PutEvents"), List.of(SinkInputs.busArn(stack, inputs.stage()))));
    }
    statements.addAll(SearchAccess.OF_SINKS.statements(this, inputs));
    sinks
        .secret()
        .ifPresent(
            arn ->
                statements.add(
                    TableAccess.allow(List.of("secretsmanager:GetSecretValue"), List.of(arn))));
    statements.add(
        TableAccess.allow(
            List.of("logs:CreateLogStream", "logs:PutLogEvents"), List.of(logs.getLogGroupArn())));
    return statements;
  }

  Function function() {
    return function;
  }
}
