package social.feed.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.sns.Topic;

/** The alarms of a stack, the topic that they notify, and a graph of each on a dashboard. */
final class Alarms {
  private static final int WIDGETS_A_ROW = 3;
  private static final int WIDTH = 8;

  private final Stack stack;
  private final Topic topic;
  private final List<IWidget> widgets = new ArrayList<>();

  Alarms(Stack stack) {
    this.stack = stack;
    this.topic = Topic.Builder.create(stack, "Alarms").enforceSsl(true).build();
    // A custom policy replaces the default one, which allowed the account's alarms to publish.
    topic.addToResourcePolicy(
        PolicyStatement.Builder.create()
            .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
            .actions(List.of("sns:Publish"))
            .resources(List.of(topic.getTopicArn()))
            .conditions(Map.of("StringEquals", Map.of("aws:SourceAccount", stack.getAccount())))
            .build());
  }

  /** Returns the ARN of the topic. */
  String topic() {
    return topic.getTopicArn();
  }

  /**
   * Adds an alarm and its graph.
   *
   * @param id name of the alarm, which the page explains
   * @param meaning what has happened
   */
  void add(AlarmPage page, String id, String meaning, IMetric metric, AlarmCondition condition) {
    var alarm =
        Alarm.Builder.create(stack, id)
            .alarmDescription(meaning + " " + page.reference())
            .metric(metric)
            .threshold(condition.threshold())
            .comparisonOperator(condition.comparison())
            .datapointsToAlarm(condition.datapoints().breaching())
            .evaluationPeriods(condition.datapoints().evaluated())
            .treatMissingData(condition.missing())
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

  /**
   * Adds the dashboard with the graphs of all alarms that were added before.
   *
   * @param name is unique in the whole account and not in a region only
   * @param below more rows of graphs
   */
  void dashboard(String name, List<List<IWidget>> below) {
    var rows = new ArrayList<List<IWidget>>();
    for (int from = 0; from < widgets.size(); from += WIDGETS_A_ROW) {
      rows.add(widgets.subList(from, Math.min(widgets.size(), from + WIDGETS_A_ROW)));
    }
    rows.addAll(below);
    Dashboard.Builder.create(stack, "Dashboard").dashboardName(name).widgets(rows).build();
  }
}
