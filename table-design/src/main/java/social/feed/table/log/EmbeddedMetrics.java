package social.feed.table.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import social.feed.table.log.PlatformMetric.Dimension;

/**
 * Builds the fields of a log line from which CloudWatch extracts metrics, in AWS's embedded metric
 * format. The format allows 100 values for a metric and 30 dimensions.
 */
public final class EmbeddedMetrics {
  /** The most values of a metric in a line. */
  public static final int VALUES = 100;

  private final Map<Dimension, String> dimensions;
  private final Map<PlatformMetric, Object> values = new LinkedHashMap<>();

  /**
   * @param table the name of the table
   * @param of the route or the lane
   */
  public EmbeddedMetrics(String table, Dimension dimension, String of) {
    this.dimensions = new LinkedHashMap<>();
    dimensions.put(Dimension.TABLE, table);
    dimensions.put(dimension, of);
  }

  /** Adds a sum. Zero is left out, because each metric with a value costs money. */
  public EmbeddedMetrics sum(PlatformMetric metric, double sum) {
    if (sum > 0) {
      put(metric, sum);
    }
    return this;
  }

  /**
   * Adds single values, from which CloudWatch computes percentiles.
   *
   * @throws IllegalArgumentException for more than {@value #VALUES}
   */
  public EmbeddedMetrics each(PlatformMetric metric, List<Double> single) {
    if (single.size() > VALUES) {
      throw new IllegalArgumentException("A line has at most %d values".formatted(VALUES));
    }
    if (!single.isEmpty()) {
      put(metric, List.copyOf(single));
    }
    return this;
  }

  private void put(PlatformMetric metric, Object value) {
    if (!dimensions.keySet().containsAll(metric.dimensions())) {
      throw new IllegalArgumentException("%s has other dimensions".formatted(metric));
    }
    values.put(metric, value);
  }

  /** Returns the fields of the line; the dimensions alone where there is no value. */
  public Map<String, Object> fields(Instant at) {
    var fields = new LinkedHashMap<String, Object>();
    if (!values.isEmpty()) {
      fields.put("_aws", metadata(at));
    }
    dimensions.forEach((dimension, value) -> fields.put(dimension.label(), value));
    values.forEach((metric, value) -> fields.put(metric.label(), value));
    return fields;
  }

  private Map<String, Object> metadata(Instant at) {
    var metrics = new ArrayList<Map<String, String>>();
    for (var metric : values.keySet()) {
      var declared = new LinkedHashMap<String, String>();
      declared.put("Name", metric.label());
      declared.put("Unit", metric.unit());
      metrics.add(declared);
    }
    var directive = new LinkedHashMap<String, Object>();
    directive.put("Namespace", PlatformMetric.NAMESPACE);
    directive.put(
        "Dimensions", List.of(dimensions.keySet().stream().map(Dimension::label).toList()));
    directive.put("Metrics", metrics);
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("Timestamp", at.toEpochMilli());
    metadata.put("CloudWatchMetrics", List.of(directive));
    return metadata;
  }
}
