package social.feed.infra;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import social.feed.streams.plan.Lane;
import social.feed.table.kernel.declaration.IndexDeclaration;
import social.feed.table.kernel.schema.FeedTable;
import social.feed.table.log.PlatformMetric;
import social.feed.table.log.PlatformMetric.Dimension;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.apigatewayv2.HttpApi;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.MathExpression;
import software.amazon.awscdk.services.cloudwatch.Metric;

/** The metrics that the alarms and the dashboard use. */
final class AlarmMetrics {
  static final Duration MINUTE = Duration.minutes(1);
  static final Duration FIVE_MINUTES = Duration.minutes(5);
  static final Duration HOUR = Duration.hours(1);
  static final Duration DAY = Duration.days(1);

  private AlarmMetrics() {}

  /** Returns a metric of an AWS service. */
  static Metric of(
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

  /** Returns a metric of an event source mapping. */
  static Metric ofMapping(String name, String mapping, String statistic, Duration period) {
    return of("AWS/Lambda", name, Map.of("EventSourceMappingUUID", mapping), statistic, period);
  }

  /** Returns the sum of a metric that a lane publishes itself. */
  static Metric ofLane(PlatformMetric metric, Lane lane, String table, Duration period) {
    var dimensions = new TreeMap<String, String>();
    dimensions.put(Dimension.TABLE.label(), table);
    dimensions.put(Dimension.LANE.label(), lane.alias());
    return of(PlatformMetric.NAMESPACE, metric.label(), dimensions, "Sum", period);
  }

  /** Returns the sum of a metric that the API publishes for a route. */
  static Metric ofRoute(PlatformMetric metric, String route, String table, Duration period) {
    var dimensions = new TreeMap<String, String>();
    dimensions.put(Dimension.TABLE.label(), table);
    dimensions.put(Dimension.ROUTE.label(), route);
    return of(PlatformMetric.NAMESPACE, metric.label(), dimensions, "Sum", period);
  }

  /** Returns a metric of the HTTP API. */
  static Metric ofGateway(HttpApi gateway, String name, String statistic, Duration period) {
    return of("AWS/ApiGateway", name, Map.of("ApiId", gateway.getApiId()), statistic, period);
  }

  /** Returns the largest value of a metric of a queue in five minutes. */
  static Metric ofQueue(String name, String queue) {
    return of("AWS/SQS", name, Map.of("QueueName", queue), "Maximum", FIVE_MINUTES);
  }

  /** Returns a metric of the domain of the search index, which has the account as a dimension. */
  static Metric ofSearch(String name, String domain, String account, String statistic) {
    return of(
        "AWS/ES", name, Map.of("DomainName", domain, "ClientId", account), statistic, FIVE_MINUTES);
  }

  /** Returns a value that is computed from metrics. */
  static IMetric computed(
      String label, String expression, Map<String, ? extends IMetric> metrics, Duration period) {
    return MathExpression.Builder.create()
        .expression(expression)
        .usingMetrics(new TreeMap<>(metrics))
        .label(label)
        .period(period)
        .build();
  }

  /**
   * Returns the percentage of requests that failed, or zero where too few failed. A single failure
   * of ten requests is no rate, and where few requests come and all fail, that is one.
   */
  static IMetric errorRate(
      String label, Metric requests, Metric errors, int leastErrors, Duration period) {
    return computed(
        label,
        "IF(FILL(errors,0)>=%d,100*FILL(errors,0)/requests,0)".formatted(leastErrors),
        Map.of("requests", requests, "errors", errors),
        period);
  }

  /** Returns the sum of a metric over the table and its indexes, which have a metric each. */
  static IMetric ofTableAndIndexes(String label, String name, String table) {
    var metrics = new TreeMap<String, IMetric>();
    var whole = Map.of("TableName", table);
    metrics.put("m0", of("AWS/DynamoDB", name, whole, "Sum", FIVE_MINUTES));
    for (IndexDeclaration index : FeedTable.DECLARATION.indexes()) {
      var dimensions = new TreeMap<>(whole);
      dimensions.put("GlobalSecondaryIndexName", index.name());
      metrics.put("m" + metrics.size(), of("AWS/DynamoDB", name, dimensions, "Sum", FIVE_MINUTES));
    }
    var sum =
        metrics.keySet().stream().map("FILL(%s,0)"::formatted).collect(Collectors.joining("+"));
    return computed(label, sum, metrics, FIVE_MINUTES);
  }
}
