package social.feed.infra;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import social.feed.streams.plan.Lane;
import social.feed.table.access.AccessPattern;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.log.PlatformMetric;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.constructs.Construct;

/** The alarms and the dashboard, which has a graph for the metric of each alarm. */
final class MonitoringStack extends Stack {
  private static final java.time.Duration LAG = java.time.Duration.ofMinutes(5);

  /** Time enough to find the cause and to catch up before records are given up. */
  private static final Map<Lane, java.time.Duration> LONG_LAG =
      Map.of(
          Lane.COUNTS,
          Retention.STREAM.dividedBy(4),
          Lane.EFFECTS,
          Retention.EFFECTS_RECORD_AGE.dividedBy(2));

  /**
   * Longer than the three minutes in which a rejected event uses its five attempts and moves to
   * another queue.
   */
  private static final long EVENT_WAITS_S = 900;

  /** Longer than a delay of 15 minutes and the 12 for which a message is hidden. */
  private static final long SINK_WAITS_S = 3_600;

  /** The largest latency goal of the access patterns. */
  private static final int P99_MS =
      Arrays.stream(AccessPattern.values()).mapToInt(AccessPattern::goalMillis).max().orElseThrow();

  /**
   * Where the API is a function, each further concurrent request starts an instance. How long that
   * takes on AWS is not measured, so this is an assumption.
   */
  private static final int FUNCTION_P99_MS = 3_000;

  /** With fewer requests in five minutes, one slow request would be a percent or more. */
  private static final int LEAST_REQUESTS = 100;

  /** Fewer failures in five minutes are no rate, however few requests there are. */
  private static final int LEAST_ERRORS = 5;

  /** A client opens a stream every quarter of an hour, so there are few. */
  private static final int LEAST_STREAM_ERRORS = 3;

  private static final int FAILED_PERCENT = 1;
  private static final int FAILED_STREAMS_PERCENT = 5;
  private static final int THROTTLED_REQUESTS = 100;

  /**
   * The write units a second that a partition has. A stage whose table and indexes may use less
   * each reaches its own maximum before a key can be hot.
   */
  private static final int PARTITION_UNITS = 1_000;

  /** The heap takes up to 75 % of a task's memory; beyond this, the kernel ends the process. */
  private static final int MEMORY_PERCENT = 90;

  /**
   * A quarter of the disk of a node. Merges of an index need room, and a full disk refuses writes.
   */
  private static final int SEARCH_FREE_MIB = SearchDomain.GIGABYTES * 1_024 / 4;

  /** The heap from which the service itself refuses writes. */
  private static final int SEARCH_HEAP_PERCENT = 92;

  /** Enough that a few of them, at the end of an hour, are no records of the next one. */
  private static final int RECORDS_IN_A_BUSY_HOUR = 1_000;

  /**
   * The route of likes, whose records pass the filters of both lanes. The number of records alone
   * says nothing: without any user thousands of feed entries may expire in an hour, and no lane
   * wants these. Nor do requests: open clients poll, and write nothing.
   */
  static final String LIKES = "POST /v1/posts/{id}/like";

  /** Some thirty likes. */
  private static final int UNITS_OF_LIKES_IN_A_BUSY_HOUR = 100;

  private final Stage stage;
  private final String table;
  private final Alarms alarms;

  MonitoringStack(
      Construct scope,
      String id,
      StackProps props,
      Inputs inputs,
      DataStack data,
      StreamStack stream,
      ApiStack api) {
    super(scope, id, props);
    this.stage = inputs.stage();
    this.table = SsmParameter.TABLE_NAME.in(this, stage);
    this.alarms = new Alarms(this);
    boolean isReserved = inputs.countsConcurrency() > 0;
    lane(Lane.COUNTS, stream, SsmParameter.COUNTS_MAPPING.in(this, stage), isReserved);
    lane(Lane.EFFECTS, stream, SsmParameter.EFFECTS_MAPPING.in(this, stage), false);
    deadLetters(data, stream);
    if (inputs.sinks().areOn()) {
      sinks();
    }
    if (inputs.sinks().search().isOn()) {
      search();
    }
    if (inputs.media() == MediaKind.S3) {
      images();
    }
    table();
    api(api);
    if (api.function().isPresent()) {
      function();
    } else {
      tasks();
    }
    drift();
    CfnOutput.Builder.create(this, "AlarmTopic")
        .description("Topic that the alarms notify; no one has subscribed to it at first")
        .value(alarms.topic())
        .build();
    alarms.dashboard(
        "%s-%s".formatted(id, inputs.region()),
        List.of(
            UsageGraphs.ofRoutes(table),
            UsageGraphs.ofLanes(table, lane -> stream.function(lane).getFunctionName()),
            UsageGraphs.dollars(table)));
  }

  /**
   * Adds the alarms of one lane. A lane that is never invoked has no iterator age, so it needs its
   * own alarms.
   *
   * @param isReserved whether concurrency is reserved for it
   */
  private void lane(Lane of, StreamStack stream, String mapping, boolean isReserved) {
    var lane = StreamStack.name(of);
    var function = Map.of("FunctionName", stream.function(of).getFunctionName());
    var longLag = Objects.requireNonNull(LONG_LAG.get(of));
    var age =
        AlarmMetrics.of(
            "AWS/Lambda", "IteratorAge", function, "Maximum", AlarmMetrics.FIVE_MINUTES);
    alarms.add(
        AlarmPage.LANES,
        lane + "Behind",
        "This lane is more than five minutes behind. The stream keeps a day.",
        age,
        AlarmCondition.atLeast(LAG.toMillis(), Datapoints.TWO_OF_SIX));
    alarms.add(
        AlarmPage.LANES,
        lane + "FarBehind",
        "This lane is more than %d hours behind. %s"
            .formatted(
                longLag.toHours(),
                of == Lane.COUNTS
                    ? "What is a day behind is lost."
                    : "What is six hours behind goes to the bucket."),
        age,
        // A lane that is no longer called has no age, and has not caught up.
        AlarmCondition.atLeast(longLag.toMillis(), Datapoints.TWO_OF_SIX).untilNewData());
    alarms.add(
        AlarmPage.LANES,
        lane + "Errors",
        "Calls of this lane end in an error, rather than in a partial batch failure.",
        AlarmMetrics.of("AWS/Lambda", "Errors", function, "Sum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_SIX));
    alarms.add(
        AlarmPage.LANES,
        lane + "Throttles",
        "Lambda throttles calls of this lane: "
            + (isReserved
                ? "the concurrency that is reserved for it is used up."
                : "the concurrency of the account is used up."),
        AlarmMetrics.of("AWS/Lambda", "Throttles", function, "Sum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_SIX));
    alarms.add(
        AlarmPage.LANES,
        lane + "NotPolled",
        "The event source mapping of this lane does not poll the stream: it is disabled, or may not"
            + " read it.",
        AlarmMetrics.ofMapping(
            "PolledEventCount", mapping, "SampleCount", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.below(1, Datapoints.THREE_OF_THREE));
    var busy =
        AlarmMetrics.computed(
            lane + " read, none let through",
            "IF(FILL(likes,0)>=%d AND polled>=%d AND filtered>=polled,1,0)"
                .formatted(UNITS_OF_LIKES_IN_A_BUSY_HOUR, RECORDS_IN_A_BUSY_HOUR),
            Map.of(
                "likes",
                    AlarmMetrics.ofRoute(
                        PlatformMetric.ROUTE_WRITE_UNITS, LIKES, table, AlarmMetrics.HOUR),
                "polled",
                    AlarmMetrics.ofMapping("PolledEventCount", mapping, "Sum", AlarmMetrics.HOUR),
                "filtered",
                    AlarmMetrics.ofMapping(
                        "FilteredOutEventCount", mapping, "Sum", AlarmMetrics.HOUR)),
            AlarmMetrics.HOUR);
    alarms.add(
        AlarmPage.LANES,
        lane + "NotCalled",
        "In an hour with likes this lane read a thousand records, and its filter let none of them"
            + " through.",
        busy,
        AlarmCondition.atLeast(1, Datapoints.ONE));
    alarms.add(
        AlarmPage.LANES,
        lane + "Refused",
        "For 15 minutes records of this lane failed repeatedly, in the function or before they"
            + " reached it.",
        AlarmMetrics.ofMapping("FailedInvokeEventCount", mapping, "Sum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.THREE_OF_THREE));
  }

  /** Adds the alarms of what stays where it is until an operator acts. */
  private void deadLetters(DataStack data, StreamStack stream) {
    var length = "ApproximateNumberOfMessagesVisible";
    alarms.add(
        AlarmPage.QUEUES,
        "DeadLetters",
        "Records that can never be applied wait in the queue of dead letters.",
        AlarmMetrics.ofQueue(length, data.deadLetters().getQueueName()),
        AlarmCondition.atLeast(1, Datapoints.ONE));
    alarms.add(
        AlarmPage.QUEUES,
        "UntoldEvents",
        "The bus did not accept crossings of the celebrity threshold.",
        AlarmMetrics.ofQueue(length, data.rejectedEvents().getQueueName()),
        AlarmCondition.atLeast(1, Datapoints.ONE));
    alarms.add(
        AlarmPage.QUEUES,
        "WaitingEvents",
        "A crossing of the celebrity threshold has waited for 15 minutes: nothing forwards it to"
            + " the bus.",
        AlarmMetrics.ofQueue("ApproximateAgeOfOldestMessage", data.events().getQueueName()),
        AlarmCondition.atLeast(EVENT_WAITS_S, Datapoints.ONE));
    alarms.add(
        AlarmPage.QUEUES,
        "GivenUpBatches",
        "Batches of effects were given up after all attempts. Their records are in the bucket.",
        AlarmMetrics.ofMapping(
            "OnFailureDestinationDeliveredEventCount",
            SsmParameter.EFFECTS_MAPPING.in(this, stage),
            "Sum",
            AlarmMetrics.DAY),
        AlarmCondition.atLeast(1, Datapoints.ONE));
    alarms.add(
        AlarmPage.QUEUES,
        "UndeliveredBatches",
        "Batches that were given up could not be written to the bucket. Their records are lost.",
        AlarmMetrics.of(
            "AWS/Lambda",
            "DestinationDeliveryFailures",
            Map.of("FunctionName", stream.function(Lane.EFFECTS).getFunctionName()),
            "Sum",
            AlarmMetrics.DAY),
        AlarmCondition.atLeast(1, Datapoints.ONE));
  }

  /** Adds the alarms of events for other systems. */
  private void sinks() {
    var queue = SinkInputs.queueName(this, stage);
    alarms.add(
        AlarmPage.SINKS,
        "SinkFails",
        "For 15 minutes another system did not accept events, or was slow. They are tried for a day.",
        AlarmMetrics.ofQueue("ApproximateNumberOfMessagesDelayed", queue),
        AlarmCondition.atLeast(1, Datapoints.THREE_OF_THREE));
    alarms.add(
        AlarmPage.SINKS,
        "SinksWaiting",
        "Events for other systems have waited for an hour: nothing reads their queue.",
        AlarmMetrics.ofQueue("ApproximateAgeOfOldestMessage", queue),
        AlarmCondition.atLeast(SINK_WAITS_S, Datapoints.ONE));
    alarms.add(
        AlarmPage.SINKS,
        "SinkErrors",
        "Calls of the function that publishes events end in an error.",
        AlarmMetrics.of(
            "AWS/Lambda",
            "Errors",
            Map.of("FunctionName", SsmParameter.SINKS_FUNCTION.in(this, stage)),
            "Sum",
            AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_SIX));
  }

  /**
   * Adds the alarms of the domain of the search index. Its events wait for a day, then they end.
   */
  private void search() {
    searchAlarm(
        "SearchRed",
        "For 15 minutes a part of the search index is on no node.",
        "ClusterStatus.red",
        "Maximum",
        AlarmCondition.atLeast(1, Datapoints.THREE_OF_THREE));
    searchAlarm(
        "SearchDisk",
        "A node of the search index has less than a quarter of its disk left, or has reported"
            + " nothing for 15 minutes.",
        "FreeStorageSpace",
        "Minimum",
        AlarmCondition.below(SEARCH_FREE_MIB, Datapoints.THREE_OF_THREE));
    searchAlarm(
        "SearchMemory",
        "For 15 minutes a node of the search index has had %d percent of its heap in use."
            .formatted(SEARCH_HEAP_PERCENT),
        "JVMMemoryPressure",
        "Maximum",
        AlarmCondition.atLeast(SEARCH_HEAP_PERCENT, Datapoints.THREE_OF_THREE));
  }

  private void searchAlarm(
      String id, String meaning, String metric, String statistic, AlarmCondition condition) {
    var domain = SearchAccess.domain(stage);
    alarms.add(
        AlarmPage.SEARCH,
        id,
        meaning,
        AlarmMetrics.ofSearch(metric, domain, getAccount(), statistic),
        condition);
  }

  /**
   * Adds the alarm of objects that cannot be removed. There is an attempt every ten hours, so the
   * alarm ends a day after the last failure.
   */
  private void images() {
    alarms.add(
        AlarmPage.IMAGES,
        "StuckRemovals",
        "For more than a day the bucket has refused to remove the bytes of a deleted image.",
        AlarmMetrics.ofLane(
            PlatformMetric.LANE_STUCK_REMOVALS, Lane.EFFECTS, table, AlarmMetrics.DAY),
        AlarmCondition.atLeast(1, Datapoints.ONE));
  }

  /** Adds an alarm for each cause of throttling that can occur below the quotas of the account. */
  private void table() {
    for (var requests : new String[] {"Read", "Write"}) {
      var condition = AlarmCondition.atLeast(THROTTLED_REQUESTS, Datapoints.TWO_OF_THREE);
      if (stage.unitsMax() > PARTITION_UNITS) {
        alarms.add(
            AlarmPage.TABLE,
            "HotKey%ss".formatted(requests),
            "%ss of one partition of the table or of an index are throttled: a hot key."
                .formatted(requests),
            throttled(requests + "KeyRangeThroughputThrottleEvents"),
            condition);
      }
      alarms.add(
          AlarmPage.TABLE,
          "TableMaximum%ss".formatted(requests),
          "%ss are throttled: the maximum that the stage sets for the table or an index is reached."
              .formatted(requests),
          throttled(requests + "MaxOnDemandThroughputThrottleEvents"),
          condition);
    }
  }

  private IMetric throttled(String name) {
    return AlarmMetrics.ofTableAndIndexes(name, name, table);
  }

  private void api(ApiStack api) {
    var requests = AlarmMetrics.ofGateway(api.gateway(), "Count", "Sum", AlarmMetrics.FIVE_MINUTES);
    alarms.add(
        AlarmPage.API,
        "ServerErrors",
        "One request in a hundred is answered with 5xx, by the gateway or by the API behind it.",
        AlarmMetrics.errorRate(
            "5xx in percent",
            requests,
            AlarmMetrics.ofGateway(api.gateway(), "5xx", "Sum", AlarmMetrics.FIVE_MINUTES),
            LEAST_ERRORS,
            AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(FAILED_PERCENT, Datapoints.TWO_OF_THREE));
    alarms.add(
        AlarmPage.API,
        "Latency",
        "One request in a hundred takes longer than the largest goal of the access patterns.",
        AlarmMetrics.computed(
            "p99 in ms",
            "IF(requests>=%d,p99,0)".formatted(LEAST_REQUESTS),
            Map.of(
                "requests",
                requests,
                "p99",
                AlarmMetrics.ofGateway(api.gateway(), "Latency", "p99", AlarmMetrics.FIVE_MINUTES)),
            AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(
            api.function().isPresent() ? FUNCTION_P99_MS : P99_MS, Datapoints.TWO_OF_THREE));
    if (api.function().isPresent()) {
      return;
    }
    var streams = Map.of("ApiName", StreamGateway.name(stage));
    alarms.add(
        AlarmPage.API,
        "StreamErrors",
        "One in twenty streams and exports is answered with 5xx, by their gateway or by the API"
            + " behind it.",
        AlarmMetrics.errorRate(
            "5xx in percent",
            AlarmMetrics.of("AWS/ApiGateway", "Count", streams, "Sum", AlarmMetrics.FIVE_MINUTES),
            AlarmMetrics.of(
                "AWS/ApiGateway", "5XXError", streams, "Sum", AlarmMetrics.FIVE_MINUTES),
            LEAST_STREAM_ERRORS,
            AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(FAILED_STREAMS_PERCENT, Datapoints.TWO_OF_THREE));
  }

  /** Adds the alarms of the API as a function. Requests that it refuses are no errors of it. */
  private void function() {
    var function = Map.of("FunctionName", SsmParameter.API_FUNCTION.in(this, stage));
    alarms.add(
        AlarmPage.API,
        "FunctionErrors",
        "Calls of the API's function end in an error: it does not start, or reaches its timeout.",
        AlarmMetrics.of("AWS/Lambda", "Errors", function, "Sum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_THREE));
    alarms.add(
        AlarmPage.API,
        "FunctionThrottles",
        "Lambda refuses calls of the API's function: its concurrency, or that of the account, is"
            + " used up.",
        AlarmMetrics.of("AWS/Lambda", "Throttles", function, "Sum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_THREE));
  }

  /** Adds the alarms of the API's tasks, which also go off when there is no request. */
  private void tasks() {
    var targets =
        Map.of(
            "LoadBalancer",
            SsmParameter.BALANCER.in(this, stage),
            "TargetGroup",
            SsmParameter.TARGET_GROUP.in(this, stage));
    var serviceName = SsmParameter.SERVICE.in(this, stage);
    var service =
        Map.of("ClusterName", SsmParameter.CLUSTER.in(this, stage), "ServiceName", serviceName);
    alarms.add(
        AlarmPage.TASKS,
        "NoHealthyTasks",
        "For three minutes the balancer has had no healthy task: the API does not answer.",
        AlarmMetrics.of(
            "AWS/ApplicationELB", "HealthyHostCount", targets, "Maximum", AlarmMetrics.MINUTE),
        AlarmCondition.below(1, Datapoints.THREE_OF_THREE));
    if (stage.tasksMin() > 1) {
      alarms.add(
          AlarmPage.TASKS,
          "FewHealthyTasks",
          "For 15 minutes the balancer has had fewer healthy tasks than the minimum of the stage.",
          AlarmMetrics.of(
              "AWS/ApplicationELB",
              "HealthyHostCount",
              targets,
              "Minimum",
              AlarmMetrics.FIVE_MINUTES),
          AlarmCondition.below(stage.tasksMin(), Datapoints.THREE_OF_THREE));
    }
    alarms.add(
        AlarmPage.TASKS,
        "TaskRestarts",
        "Tasks of the API end again and again, do not start, or fail their health checks.",
        new TaskRestarts(this, serviceName).metric(),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_SIX));
    alarms.add(
        AlarmPage.TASKS,
        "TaskMemory",
        "For 15 minutes a task of the API has used more than 90 % of its memory.",
        AlarmMetrics.of(
            "AWS/ECS", "MemoryUtilization", service, "Maximum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(MEMORY_PERCENT, Datapoints.THREE_OF_THREE));
  }

  /**
   * Adds the alarm for drift, whose metric no deployed part publishes. It keeps its state until the
   * next value, because only a value shows that the drift is gone.
   */
  private void drift() {
    alarms.add(
        AlarmPage.DRIFT,
        "Drift",
        "Derived rows differ from their sources. The metric has a value only after a verification"
            + " of the table published how much drift it found; nothing in these stacks does that.",
        AlarmMetrics.of(
            "Feed", "Drift", Map.of("Table", table), "Maximum", AlarmMetrics.FIVE_MINUTES),
        AlarmCondition.atLeast(1, Datapoints.ONE).untilNewData());
  }
}
