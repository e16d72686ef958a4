package social.feed.infra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import social.feed.streams.plan.Lane;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.schema.FeedTable;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.MathExpression;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.sns.Topic;
import software.constructs.Construct;

/** The alarms and the dashboard, which has a graph for the metric of each alarm. */
final class MonitoringStack extends Stack {
  private static final Duration MINUTE = Duration.minutes(1);
  private static final Duration FIVE_MINUTES = Duration.minutes(5);
  private static final Duration HOUR = Duration.hours(1);
  private static final java.time.Duration LAG = java.time.Duration.ofMinutes(5);

  /** A quarter of what the stream keeps: time enough to find the cause and to catch up. */
  private static final java.time.Duration LONG_LAG = Retention.STREAM.dividedBy(4);

  /**
   * Longer than the three minutes in which a rejected event uses its five attempts and moves to
   * another queue.
   */
  private static final long EVENT_WAITS_S = 900;

  /** The largest latency goal of the access patterns. */
  private static final int P99_MS =
      Arrays.stream(AccessPattern.values()).mapToInt(AccessPattern::goalMillis).max().orElseThrow();

  private static final int FAILED_REQUESTS = 5;
  private static final int THROTTLED_REQUESTS = 100;

  /** A failure in a single period is not alarming, because it is retried. */
  private static final int PERIODS_BEFORE_ALARM = 3;

  /** Far more records than the multiplexer itself causes in an hour without user traffic. */
  private static final int RECORDS_IN_A_BUSY_HOUR = 1_000;

  private static final int WIDGETS_A_ROW = 3;
  private static final int WIDTH = 8;

  private final Stage stage;
  private final String table;
  private final Topic topic;
  private final List<IWidget> widgets = new ArrayList<>();

  MonitoringStack(
      Construct scope,
      String id,
      StackProps props,
      Stage stage,
      DataStack data,
      StreamStack stream,
      ApiStack api) {
    super(scope, id, props);
    this.stage = stage;
    this.table = SsmParameter.TABLE_NAME.in(this, stage);
    this.topic = Topic.Builder.create(this, "Alarms").enforceSsl(true).build();
    allowAlarmsToPublish();
    lane(Lane.COUNTS, stream, SsmParameter.COUNTS_MAPPING.in(this, stage));
    lane(Lane.EFFECTS, stream, SsmParameter.EFFECTS_MAPPING.in(this, stage));
    deadLetters(data, stream);
    table();
    api(api);
    drift();
    dashboard(id);
  }

  /**
   * Allows the account's alarms to publish: a custom policy replaces the default one, which allowed
   * it.
   */
  private void allowAlarmsToPublish() {
    topic.addToResourcePolicy(
        PolicyStatement.Builder.create()
            .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
            .actions(List.of("sns:Publish"))
            .resources(List.of(topic.getTopicArn()))
            .conditions(Map.of("StringEquals", Map.of("aws:SourceAccount", getAccount())))
            .build());
  }

  /**
   * Adds the alarms of one lane. A lane that is never invoked has no iterator age, so it needs its
   * own alarms.
   */
  private void lane(Lane of, StreamStack stream, String mapping) {
    var lane = StreamStack.name(of);
    var function = Map.of("FunctionName", stream.function(of).getFunctionName());
    var age = metric("AWS/Lambda", "IteratorAge", function, "Maximum", MINUTE);
    alarm(
        lane + "Behind",
        "This lane is more than five minutes behind. The stream keeps a day.",
        age,
        LAG.toMillis());
    alarm(
        lane + "FarBehind",
        "This lane is more than six hours behind. What is a day behind is lost.",
        age,
        LONG_LAG.toMillis());
    alarm(
        lane + "Errors",
        "Calls of this lane end in an error, rather than in a partial batch failure.",
        metric("AWS/Lambda", "Errors", function, "Sum", FIVE_MINUTES),
        1);
    alarm(
        lane + "Throttles",
        "Lambda throttles calls of this lane: the concurrency that it may use is used up.",
        metric("AWS/Lambda", "Throttles", function, "Sum", FIVE_MINUTES),
        1);
    alarm(
        lane + "NotPolled",
        "The event source mapping of this lane does not poll the stream: it is disabled, or may not"
            + " read it.",
        events("PolledEventCount", mapping, "SampleCount", FIVE_MINUTES),
        1,
        ComparisonOperator.LESS_THAN_THRESHOLD,
        TreatMissingData.BREACHING,
        PERIODS_BEFORE_ALARM);
    var busy =
        MathExpression.Builder.create()
            .expression("IF(polled>=%d AND filtered>=polled,1,0)".formatted(RECORDS_IN_A_BUSY_HOUR))
            .usingMetrics(
                new TreeMap<>(
                    Map.of(
                        "polled", events("PolledEventCount", mapping, "Sum", HOUR),
                        "filtered", events("FilteredOutEventCount", mapping, "Sum", HOUR))))
            .label(lane + " read, none let through")
            .period(HOUR)
            .build();
    alarm(
        lane + "NotCalled",
        "For an hour this lane read a thousand records, and its filter let none of them through.",
        busy,
        1);
    alarm(
        lane + "Refused",
        "For 15 minutes records of this lane failed repeatedly, in the function or before they"
            + " reached it.",
        events("FailedInvokeEventCount", mapping, "Sum", FIVE_MINUTES),
        1,
        ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        TreatMissingData.NOT_BREACHING,
        PERIODS_BEFORE_ALARM);
  }

  private static Metric events(String name, String mapping, String statistic, Duration period) {
    return metric("AWS/Lambda", name, Map.of("EventSourceMappingUUID", mapping), statistic, period);
  }

  private void deadLetters(DataStack data, StreamStack stream) {
    alarm(
        "DeadLetters",
        "Records that can never be applied wait in the queue of dead letters.",
        queueLength(data.deadLetters().getQueueName()),
        1);
    alarm(
        "UntoldEvents",
        "The bus did not accept crossings of the celebrity threshold.",
        queueLength(data.rejectedEvents().getQueueName()),
        1);
    alarm(
        "WaitingEvents",
        "A crossing of the celebrity threshold has waited for 15 minutes: nothing forwards it to"
            + " the bus.",
        queueMetric("ApproximateAgeOfOldestMessage", data.events().getQueueName()),
        EVENT_WAITS_S);
    alarm(
        "GivenUpBatches",
        "Batches of effects were given up after all attempts. Their records are in the bucket.",
        events(
            "OnFailureDestinationDeliveredEventCount",
            SsmParameter.EFFECTS_MAPPING.in(this, stage),
            "Sum",
            FIVE_MINUTES),
        1);
    alarm(
        "UndeliveredBatches",
        "Batches that were given up could not be written to the bucket. Their records are lost.",
        metric(
            "AWS/Lambda",
            "DestinationDeliveryFailures",
            Map.of("FunctionName", stream.function(Lane.EFFECTS).getFunctionName()),
            "Sum",
            FIVE_MINUTES),
        1);
  }

  private void table() {
    alarm(
        "ReadThrottles",
        "Reads of the table or of an index are throttled, for five minutes.",
        throttled("ReadThrottleEvents"),
        THROTTLED_REQUESTS);
    alarm(
        "WriteThrottles",
        "Writes to the table or to an index are throttled, for five minutes.",
        throttled("WriteThrottleEvents"),
        THROTTLED_REQUESTS);
  }

  private void api(ApiStack api) {
    var gateway = Map.of("ApiId", api.gateway().getApiId());
    alarm(
        "ServerErrors",
        "Requests are answered with 5xx, by the gateway or by the API behind it.",
        metric("AWS/ApiGateway", "5xx", gateway, "Sum", FIVE_MINUTES),
        FAILED_REQUESTS);
    alarm(
        "Latency",
        "One request in a hundred takes longer than the largest goal of the access patterns.",
        metric("AWS/ApiGateway", "Latency", gateway, "p99", FIVE_MINUTES),
        P99_MS);
    alarm(
        "StreamErrors",
        "Streams and exports are answered with 5xx, by their gateway or by the API behind it.",
        metric(
            "AWS/ApiGateway",
            "5XXError",
            Map.of("ApiName", StreamGateway.name(stage)),
            "Sum",
            FIVE_MINUTES),
        FAILED_REQUESTS);
  }

  /**
   * Adds the alarm for drift, whose metric no deployed part publishes. It keeps its state until the
   * next value, because only a value shows that the drift is gone.
   */
  private void drift() {
    alarm(
        "Drift",
        "Derived rows differ from their sources. The metric has a value only after a verification"
            + " of the table published how much drift it found; nothing in these stacks does that.",
        metric("Feed", "Drift", Map.of("Table", table), "Maximum", FIVE_MINUTES),
        1,
        ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        TreatMissingData.IGNORE,
        1);
  }

  private void alarm(String id, String description, IMetric metric, Number threshold) {
    alarm(
        id,
        description,
        metric,
        threshold,
        ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        TreatMissingData.NOT_BREACHING,
        1);
  }

  private void alarm(
      String id,
      String description,
      IMetric metric,
      Number threshold,
      ComparisonOperator comparison,
      TreatMissingData missing,
      int periods) {
    var alarm =
        Alarm.Builder.create(this, id)
            .alarmDescription(description)
            .metric(metric)
            .threshold(threshold)
            .comparisonOperator(comparison)
            .evaluationPeriods(periods)
            .treatMissingData(missing)
            .build();
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    widgets.add(
        GraphWidget.Builder.create()
            .title(id)
            .width(WIDTH)
            .left(List.of(metric))
            .leftAnnotations(List.of(alarm.toAnnotation()))
            .build());
  }

  private static Metric queueLength(String queue) {
    return queueMetric("ApproximateNumberOfMessagesVisible", queue);
  }

  private static Metric queueMetric(String name, String queue) {
    return metric("AWS/SQS", name, Map.of("QueueName", queue), "Maximum", FIVE_MINUTES);
  }

  /** Returns the sum of a metric over the table and its indexes, which have a metric each. */
  private IMetric throttled(String name) {
    var metrics = new TreeMap<String, IMetric>();
    var whole = Map.of("TableName", table);
    metrics.put("m0", metric("AWS/DynamoDB", name, whole, "Sum", FIVE_MINUTES));
    for (IndexDeclaration index : FeedTable.DECLARATION.indexes()) {
      var dimensions = new TreeMap<>(whole);
      dimensions.put("GlobalSecondaryIndexName", index.name());
      metrics.put(
          "m" + metrics.size(), metric("AWS/DynamoDB", name, dimensions, "Sum", FIVE_MINUTES));
    }
    return MathExpression.Builder.create()
        .expression(
            metrics.keySet().stream().map("FILL(%s,0)"::formatted).collect(Collectors.joining("+")))
        .usingMetrics(metrics)
        .label(name)
        .period(FIVE_MINUTES)
        .build();
  }

  private static Metric metric(
      String namespace,
      String name,
      Map<String, String> dimensions,
      String statistic,
      Duration period) {
    return Metric.Builder.create()
        .namespace(namespace)
        .metricName(name)
        .dimensionsMap(dimensions)
        .statistic(statistic)
        .period(period)
        .build();
  }

  private void dashboard(String name) {
    var rows = new ArrayList<List<IWidget>>();
    for (int from = 0; from < widgets.size(); from += WIDGETS_A_ROW) {
      rows.add(widgets.subList(from, Math.min(widgets.size(), from + WIDGETS_A_ROW)));
    }
    Dashboard.Builder.create(this, "Dashboard").dashboardName(name).widgets(rows).build();
  }
}
