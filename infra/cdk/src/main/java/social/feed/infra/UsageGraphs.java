package social.feed.infra;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.cost.UnitPrices;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.PlatformMetric.Dimension;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.IWidget;
import software.amazon.awscdk.services.cloudwatch.MathExpression;

/**
 * The graphs of requests, latency and units, by route of the API and by lane of the multiplexer,
 * and of their dollars. CloudWatch extracts the metrics from log lines. A search finds the routes
 * that have values, so the graphs name none.
 */
final class UsageGraphs {
  private static final Duration PERIOD = AlarmMetrics.FIVE_MINUTES;
  private static final int WIDTH = 6;
  private static final int WHOLE_WIDTH = 24;
  private static final UnitPrices PRICES = UnitPrices.US_EAST_1;

  private UsageGraphs() {}

  /** Returns the graphs of all routes. */
  static List<IWidget> ofRoutes(String table) {
    return List.of(
        graph("Requests by route", search(PlatformMetric.LATENCY, "SampleCount", table)),
        graph("p99 by route, ms", search(PlatformMetric.LATENCY, "p99", table)),
        graph("Read units by route", search(PlatformMetric.ROUTE_READ_UNITS, "Sum", table)),
        graph("Write units by route", search(PlatformMetric.ROUTE_WRITE_UNITS, "Sum", table)));
  }

  private static IMetric search(PlatformMetric metric, String statistic, String table) {
    return expression("", searched(metric, statistic, table));
  }

  private static String searched(PlatformMetric metric, String statistic, String table) {
    return "SEARCH('{%s,%s} %s=\"%s\" MetricName=\"%s\"', '%s', %s)"
        .formatted(
            PlatformMetric.NAMESPACE,
            metric.dimensions().stream().map(Dimension::label).collect(Collectors.joining(",")),
            Dimension.TABLE.label(),
            table,
            metric.label(),
            statistic,
            PERIOD.toSeconds());
  }

  private static IMetric expression(String label, String expression) {
    return MathExpression.Builder.create()
        .expression(expression)
        .label(label)
        .usingMetrics(Map.of())
        .period(PERIOD)
        .build();
  }

  /**
   * Returns the graphs of the lanes.
   *
   * @param function returns the name of the function of a lane
   */
  static List<IWidget> ofLanes(String table, Function<Lane, String> function) {
    return List.of(
        lanes("Calls by lane", lane -> ofLambda("Invocations", "Sum", function.apply(lane))),
        lanes(
            "p99 of calls by lane, ms", lane -> ofLambda("Duration", "p99", function.apply(lane))),
        lanes("Read units by lane", lane -> ofLane(PlatformMetric.LANE_READ_UNITS, lane, table)),
        lanes("Write units by lane", lane -> ofLane(PlatformMetric.LANE_WRITE_UNITS, lane, table)),
        lanes(
            "Dead letters by lane", lane -> ofLane(PlatformMetric.LANE_DEAD_LETTERS, lane, table)),
        lanes(
            "Suspicious accounts by lane",
            lane -> ofLane(PlatformMetric.LANE_SUSPICIOUS, lane, table)),
        lanes(
            "Stuck removals of files by lane",
            lane -> ofLane(PlatformMetric.LANE_STUCK_REMOVALS, lane, table)));
  }

  /**
   * Returns the graph of dollars. Each route has a line for its reads and one for its writes,
   * because metrics that a search finds cannot be added in pairs. CloudWatch adds the route to the
   * label. It reads no log, so a look at it costs nothing.
   */
  static List<IWidget> dollars(String table) {
    var lines = new ArrayList<IMetric>();
    lines.add(
        dollarsOfRoutes("reads", PlatformMetric.ROUTE_READ_UNITS, PRICES.millionReads(), table));
    lines.add(
        dollarsOfRoutes("writes", PlatformMetric.ROUTE_WRITE_UNITS, PRICES.millionWrites(), table));
    Stream.of(Lane.values()).map(lane -> dollars(lane, table)).forEach(lines::add);
    return List.of(
        GraphWidget.Builder.create()
            .title("Dollars of request units, at the prices of us-east-1")
            .width(WHOLE_WIDTH)
            .stacked(true)
            .left(lines)
            .build());
  }

  private static IMetric dollarsOfRoutes(
      String label, PlatformMetric units, double million, String table) {
    return expression(label, "%s*%s/1000000".formatted(searched(units, "Sum", table), million));
  }

  private static IMetric ofLambda(String name, String statistic, String function) {
    return AlarmMetrics.of("AWS/Lambda", name, Map.of("FunctionName", function), statistic, PERIOD);
  }

  private static IMetric ofLane(PlatformMetric metric, Lane lane, String table) {
    return AlarmMetrics.ofLane(metric, lane, table, PERIOD);
  }

  private static IMetric dollars(Lane lane, String table) {
    // Ids are unique on a graph.
    var reads = "reads" + StreamStack.name(lane);
    var writes = "writes" + StreamStack.name(lane);
    return AlarmMetrics.computed(
        lane.alias(),
        "FILL(%s,0)*%s/1000000+FILL(%s,0)*%s/1000000"
            .formatted(reads, PRICES.millionReads(), writes, PRICES.millionWrites()),
        Map.of(
            reads,
            ofLane(PlatformMetric.LANE_READ_UNITS, lane, table),
            writes,
            ofLane(PlatformMetric.LANE_WRITE_UNITS, lane, table)),
        PERIOD);
  }

  private static IWidget lanes(String title, Function<Lane, IMetric> metric) {
    return graph(title, Arrays.stream(Lane.values()).map(metric).toArray(IMetric[]::new));
  }

  private static IWidget graph(String title, IMetric... metrics) {
    return GraphWidget.Builder.create().title(title).width(WIDTH).left(List.of(metrics)).build();
  }
}
