package social.feed.infra;

import java.util.Map;
import social.feed.streams.plan.Lane;
import social.feed.table.log.PlatformMetric;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.lambda.Alias;
import software.constructs.Construct;

/**
 * The alarms that end a release and bring the previous version back. They are faster than those
 * that wake an operator, stand in the stack of what is released, and notify no one: a failed
 * deployment reports itself.
 */
final class ReleaseAlarms {
  /** Fewer failures in a minute are no rate, however few requests there are. */
  private static final int LEAST_ERRORS = 3;

  private static final int FAILED_PERCENT = 5;

  /** A tenth of the requests of a version that gets a tenth of all. */
  private static final int FAILED_PERCENT_OF_BOTH = 1;

  private ReleaseAlarms() {}

  /** Returns the alarm of a lane: calls of the new version end in an error. */
  static Alarm ofLane(Construct scope, String lane, Alias alias) {
    return alarm(
        scope,
        lane + "ReleaseErrors",
        "During a release, calls of this lane with the new version end in an error.",
        errorsOf(alias),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_THREE));
  }

  /**
   * Returns the errors of the new version. Those of the old one must not stop the release that
   * repairs them. Lambda counts the versions apart while an alias has two.
   */
  private static Metric errorsOf(Alias alias) {
    return AlarmMetrics.of(
        "AWS/Lambda",
        "Errors",
        Map.of(
            "FunctionName",
            alias.getLambda().getFunctionName(),
            "Resource",
            alias.getLambda().getFunctionName() + ":" + alias.getAliasName(),
            "ExecutedVersion",
            alias.getVersion().getVersion()),
        "Sum",
        AlarmMetrics.MINUTE);
  }

  /** Returns the alarm of the API as a function: calls of the new version end in an error. */
  static Alarm ofApiFunction(Construct scope, Alias alias) {
    return alarm(
        scope,
        "ReleaseErrors",
        "During a release, calls of the API's function with the new version end in an error.",
        errorsOf(alias),
        AlarmCondition.atLeast(1, Datapoints.TWO_OF_THREE));
  }

  /**
   * Returns the alarm of responses with 5xx, which are no errors of a call. The gateway counts the
   * responses of both versions together, and the new one gets a tenth of the requests.
   */
  static Alarm ofResponses(Construct scope, HttpApi gateway) {
    return alarm(
        scope,
        "ReleaseResponses",
        "During a release, one request in a hundred is answered with 5xx.",
        AlarmMetrics.errorRate(
            "5xx in percent",
            AlarmMetrics.ofGateway(gateway, "Count", "Sum", AlarmMetrics.MINUTE),
            AlarmMetrics.ofGateway(gateway, "5xx", "Sum", AlarmMetrics.MINUTE),
            LEAST_ERRORS,
            AlarmMetrics.MINUTE),
        AlarmCondition.atLeast(FAILED_PERCENT_OF_BOTH, Datapoints.TWO_OF_THREE));
  }

  /**
   * Returns the alarm of dead letters that a lane makes during a release. Those that wait in the
   * queue already must not stop the release that repairs them. Those that the version before makes
   * meanwhile do stop it, unless it is a repair: the lane counts them itself, of both versions
   * together, since the metrics of a queue lag by up to 15 minutes.
   */
  static Alarm ofDeadLetters(Construct scope, Lane lane, String table) {
    return alarm(
        scope,
        StreamStack.name(lane) + "ReleaseDeadLetters",
        "During a release, records of this lane become dead letters.",
        AlarmMetrics.ofLane(PlatformMetric.LANE_DEAD_LETTERS, lane, table, AlarmMetrics.MINUTE),
        AlarmCondition.atLeast(1, Datapoints.ONE));
  }

  /** Returns the alarm of the tasks: the balancer receives many errors from them. */
  static Alarm ofTasks(Construct scope, String name, Map<String, String> targets) {
    return builder(
            scope,
            "ReleaseErrors",
            "During a release, tasks answer one request in twenty with 5xx.",
            AlarmMetrics.errorRate(
                "5xx in percent",
                ofBalancer("RequestCount", targets),
                ofBalancer("HTTPCode_Target_5XX_Count", targets),
                LEAST_ERRORS,
                AlarmMetrics.MINUTE),
            AlarmCondition.atLeast(FAILED_PERCENT, Datapoints.TWO_OF_THREE))
        .alarmName(name)
        .build();
  }

  private static Metric ofBalancer(String name, Map<String, String> targets) {
    return AlarmMetrics.of("AWS/ApplicationELB", name, targets, "Sum", AlarmMetrics.MINUTE);
  }

  private static Alarm alarm(
      Construct scope, String id, String meaning, IMetric metric, AlarmCondition condition) {
    return builder(scope, id, meaning, metric, condition).build();
  }

  private static Alarm.Builder builder(
      Construct scope, String id, String meaning, IMetric metric, AlarmCondition condition) {
    return Alarm.Builder.create(scope, id)
        .alarmDescription(meaning)
        .metric(metric)
        .threshold(condition.threshold())
        .comparisonOperator(condition.comparison())
        .datapointsToAlarm(condition.datapoints().breaching())
        .evaluationPeriods(condition.datapoints().evaluated())
        .treatMissingData(condition.missing());
  }
}
