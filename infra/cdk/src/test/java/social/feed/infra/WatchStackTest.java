package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import social.feed.table.declaration.IndexDeclaration;
import social.feed.table.schema.FeedTable;
import software.amazon.awscdk.assertions.Match;

class WatchStackTest {
  private static final Synthesized PROD = Synthesized.of(Stage.PROD);

  @Test
  void alarms_lookAtWhatCanGoWrong() {
    var names = new TreeSet<String>();
    for (var alarm : alarms()) {
      names.addAll(texts(alarm, "MetricName"));
    }

    assertThat(names)
        .containsExactly(
            "5xx",
            "ApproximateNumberOfMessagesVisible",
            "Drift",
            "Errors",
            "IteratorAge",
            "Latency",
            "OnFailureDestinationDeliveredEventCount",
            "ReadThrottleEvents",
            "Throttles",
            "WriteThrottleEvents");
  }

  @Test
  void alarms_eachTellSomebodyAndSayWhatTheyMean() {
    assertThat(alarms())
        .hasSize(11)
        .allSatisfy(
            alarm -> {
              assertThat(alarm.required("AlarmActions")).hasSize(1);
              assertThat(alarm.required("AlarmDescription").textValue()).endsWith(".");
            });
  }

  /** A policy takes the place of the one by which the owner's alarms may publish. */
  @Test
  void alarms_mayPublish() {
    PROD.template("watch")
        .hasResourceProperties(
            "AWS::SNS::TopicPolicy",
            Map.of(
                "PolicyDocument",
                Match.objectLike(
                    Map.of(
                        "Statement",
                        Match.arrayWith(
                            List.of(
                                Match.objectLike(
                                    Map.of(
                                        "Effect",
                                        "Allow",
                                        "Action",
                                        "sns:Publish",
                                        "Principal",
                                        Map.of("Service", "cloudwatch.amazonaws.com")))))))));
  }

  /** Throttling of an index is not counted with its table's. */
  @Test
  void alarmsOfThrottling_lookAtEveryIndex() {
    var indexes = FeedTable.DECLARATION.indexes().stream().map(IndexDeclaration::name).toList();
    for (var name : List.of("ReadThrottleEvents", "WriteThrottleEvents")) {
      var alarm = alarms().stream().filter(a -> texts(a, "MetricName").contains(name)).findFirst();

      assertThat(texts(alarm.orElseThrow(), "Value")).containsAll(indexes);
    }
  }

  @Test
  void alarmOfDrift_saysThatNothingHereFeedsIt() {
    assertThat(
            alarms().stream()
                .filter(alarm -> alarm.path("MetricName").asText().equals("Drift"))
                .map(alarm -> alarm.required("AlarmDescription").textValue()))
        .singleElement()
        .asString()
        .contains("nothing in these stacks does that");
  }

  @Test
  void dashboard_hasAGraphOfEveryAlarm() {
    var body = PROD.only("watch", "AWS::CloudWatch::Dashboard").toString();

    assertThat(body.split("\\\\\"title\\\\\"", -1)).hasSize(1 + alarms().size());
  }

  private static List<JsonNode> alarms() {
    return PROD.all("watch", "AWS::CloudWatch::Alarm");
  }

  private static Set<String> texts(JsonNode owner, String field) {
    return new TreeSet<>(
        new ArrayList<>(owner.findValues(field))
            .stream().filter(JsonNode::isTextual).map(JsonNode::textValue).toList());
  }
}
