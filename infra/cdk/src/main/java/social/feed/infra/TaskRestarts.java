package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.events.EventPattern;
import software.amazon.awscdk.services.events.Rule;
import software.constructs.Construct;

/**
 * Counts the tasks that ended for a fault of theirs: the process ended, the task did not start, or
 * a health check failed. Tasks that a deployment, the scaling or a maintenance of AWS stops are not
 * counted. ECS has no metric of this, so a rule of EventBridge matches the events. It has no
 * target: only the number of its matches is used.
 */
final class TaskRestarts extends Construct {
  private final Rule rule;

  TaskRestarts(Construct scope, String service) {
    super(scope, "FailedTasks");
    this.rule =
        Rule.Builder.create(this, "Rule")
            .description("Tasks of the API that ended for a fault of theirs; only counted")
            .eventPattern(
                EventPattern.builder()
                    .source(List.of("aws.ecs"))
                    .detailType(List.of("ECS Task State Change"))
                    .detail(detail(service))
                    .build())
            .build();
  }

  /** Returns the pattern in an order that is the same in each process. */
  private static Map<String, Object> detail(String service) {
    var detail = new TreeMap<String, Object>();
    detail.put("group", List.of("service:" + service));
    detail.put("lastStatus", List.of("STOPPED"));
    detail.put(
        "$or",
        List.of(
            Map.of("stopCode", List.of("EssentialContainerExited", "TaskFailedToStart")),
            Map.of("stoppedReason", List.of(Map.of("prefix", "Task failed ")))));
    return detail;
  }

  /** Returns the number of such tasks in five minutes. */
  IMetric metric() {
    return AlarmMetrics.of(
        "AWS/Events",
        "MatchedEvents",
        Map.of("RuleName", rule.getRuleName()),
        "Sum",
        AlarmMetrics.FIVE_MINUTES);
  }
}
