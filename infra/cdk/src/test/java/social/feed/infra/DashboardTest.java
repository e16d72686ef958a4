package social.feed.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.PlatformMetric.Dimension;

/** The dashboard of a stage: its graphs, and the metrics and prices that they use. */
class DashboardTest {
  private static final Pattern SEARCH =
      Pattern.compile("SEARCH\\('\\{(\\w+),([\\w,]+)} Table=\"TOKEN\" MetricName=\"(\\w+)\"'");

  @ParameterizedTest
  @EnumSource(ApiKind.class)
  void dashboard_hasAGraphOfEveryAlarm_andOfTheUsage(ApiKind kind) throws IOException {
    var stacks = kind == ApiKind.SERVICE ? ProdAlarms.SERVICE : ProdAlarms.FUNCTION;
    assertThat(widgets(stacks).stream().map(widget -> widget.at("/properties/title").textValue()))
        .containsAll(ProdAlarms.names(stacks))
        .contains(
            "Requests by route",
            "p99 by route, ms",
            "Read units by route",
            "Write units by route",
            "Calls by lane",
            "p99 of calls by lane, ms",
            "Read units by lane",
            "Write units by lane",
            "Dead letters by lane",
            "Suspicious accounts by lane",
            "Stuck removals of files by lane",
            "Dollars of request units, at the prices of us-east-1")
        .hasSize(ProdAlarms.names(stacks).size() + 12);
  }

  /** Returns the widgets of the dashboard. Values that only AWS knows are TOKEN. */
  private static List<JsonNode> widgets() throws IOException {
    return widgets(ProdAlarms.SERVICE);
  }

  private static List<JsonNode> widgets(Synthesized stacks) throws IOException {
    var body = stacks.only("watch", "AWS::CloudWatch::Dashboard").at("/DashboardBody/Fn::Join/1");
    var text = new StringBuilder();
    body.forEach(part -> text.append(part.isTextual() ? part.textValue() : "TOKEN"));
    var widgets = new ArrayList<JsonNode>();
    new ObjectMapper().readTree(text.toString()).required("widgets").forEach(widgets::add);
    return widgets;
  }

  /** A graph of a metric that nothing publishes would stay empty, and no one would notice. */
  @Test
  void dashboard_usesTheMetricsThatTheCodePublishes_andAllOfThem() throws IOException {
    var used = new TreeSet<String>();
    for (var widget : widgets()) {
      for (var metric : widget.at("/properties/metrics")) {
        if (metric.path(0).asText().equals(PlatformMetric.NAMESPACE)) {
          used.add(metric.path(1).asText() + " by " + dimensions(metric));
        }
        var search = SEARCH.matcher(metric.path(0).path("expression").asText());
        while (search.find()) {
          assertThat(search.group(1)).isEqualTo(PlatformMetric.NAMESPACE);
          used.add(search.group(3) + " by " + search.group(2));
        }
      }
    }

    var published = new TreeSet<String>();
    for (var metric : PlatformMetric.values()) {
      published.add(
          metric.label()
              + " by "
              + metric.dimensions().stream()
                  .map(Dimension::label)
                  .collect(Collectors.joining(",")));
    }
    // The metric of an alarm that no deployed part publishes.
    published.add("Drift by Table");
    assertThat(used).isEqualTo(published);
  }

  /** The elements after namespace and name are names and values of dimensions, then options. */
  private static String dimensions(JsonNode metric) {
    var names = new ArrayList<String>();
    for (int i = 2; i + 1 < metric.size() && metric.get(i).isTextual(); i += 2) {
      names.add(metric.get(i).textValue());
    }
    return names.stream()
        .sorted(Comparator.comparing(name -> !name.equals(Dimension.TABLE.label())))
        .collect(Collectors.joining(","));
  }

  /** Lambda's own metrics that the graphs of the lanes use in addition to those of the alarms. */
  @Test
  void dashboard_usesNoOtherMetricsThanTheAlarms_exceptThose() throws IOException {
    var ofAlarms = new TreeSet<String>();
    ProdAlarms.all().forEach(alarm -> ofAlarms.addAll(ProdAlarms.texts(alarm, "MetricName")));
    var used = new TreeSet<String>();
    for (var widget : widgets()) {
      for (var metric : widget.at("/properties/metrics")) {
        if (metric.path(0).isTextual() && metric.path(0).textValue().startsWith("AWS/")) {
          used.add(metric.path(1).textValue());
        }
      }
    }

    used.removeAll(ofAlarms);
    assertThat(used).containsExactly("Duration", "Invocations");
  }

  /** Dollars have the prices of the plan and of the pages, whose region the title names. */
  @Test
  void dashboard_computesDollarsFromTheDeclaredPrices() throws IOException {
    var dollars =
        widgets().stream()
            .filter(widget -> widget.at("/properties/title").asText().startsWith("Dollars"))
            .toList();

    assertThat(dollars).hasSize(1);
    assertThat(dollars.getFirst().findValues("expression"))
        .extracting(JsonNode::textValue)
        .anyMatch(of -> of.matches("SEARCH\\(.*Route.*\"ReadUnits\".*\\)\\*0\\.125/1000000"))
        .anyMatch(of -> of.matches("SEARCH\\(.*Route.*\"WriteUnits\".*\\)\\*0\\.625/1000000"))
        .anyMatch(of -> of.startsWith("FILL(readsCounts,0)*0.125/1000000"))
        .anyMatch(of -> of.startsWith("FILL(readsEffects,0)*0.125/1000000"));
  }

  /** Each look at a query of a log would cost by the size of the log. */
  @Test
  void dashboard_readsNoLog() throws IOException {
    assertThat(widgets())
        .extracting(widget -> widget.required("type").textValue())
        .containsOnly("metric");
  }
}
