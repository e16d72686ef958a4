package social.feed.table.log;

import java.util.List;

/**
 * The metrics that API and function publish. The log lines, the dashboard and the page of
 * operations use these names.
 */
public enum PlatformMetric {
  /**
   * Milliseconds until the response of a request begins. The number of its values is the number of
   * requests.
   */
  LATENCY("Latency", "Milliseconds", Dimension.ROUTE),

  /** Read units of the requests of a route. */
  ROUTE_READ_UNITS("ReadUnits", "Count", Dimension.ROUTE),

  /** Write units of the requests of a route. */
  ROUTE_WRITE_UNITS("WriteUnits", "Count", Dimension.ROUTE),

  /** Read units of a lane of the multiplexer. */
  LANE_READ_UNITS("ReadUnits", "Count", Dimension.LANE),

  /** Write units of a lane of the multiplexer. */
  LANE_WRITE_UNITS("WriteUnits", "Count", Dimension.LANE),

  /** Dead letters that a lane of the multiplexer has stored. */
  LANE_DEAD_LETTERS("DeadLetters", "Count", Dimension.LANE),

  /** Writes of rows of suspicious accounts by a lane of the multiplexer. */
  LANE_SUSPICIOUS("SuspiciousAccounts", "Count", Dimension.LANE),

  /** Failed removals of objects of files that have failed for more than a day. */
  LANE_STUCK_REMOVALS("StuckRemovals", "Count", Dimension.LANE);

  /** The namespace of all of them. */
  public static final String NAMESPACE = "Feed";

  /** What a metric is divided by. */
  public enum Dimension {
    /** The name of the table, so that several stages may be in one region. */
    TABLE("Table"),

    /** Method and template of a route, such as {@code GET /v1/posts/{id}}. */
    ROUTE("Route"),

    /** Alias of a lane of the multiplexer. */
    LANE("Lane");

    private final String label;

    Dimension(String label) {
      this.label = label;
    }

    /** Returns the name in CloudWatch. */
    public String label() {
      return label;
    }
  }

  private final String label;
  private final String unit;
  private final Dimension dimension;

  PlatformMetric(String label, String unit, Dimension dimension) {
    this.label = label;
    this.unit = unit;
    this.dimension = dimension;
  }

  /** Returns the name in CloudWatch. */
  public String label() {
    return label;
  }

  /** Returns the unit in CloudWatch. */
  public String unit() {
    return unit;
  }

  /** Returns the dimensions in CloudWatch. */
  public List<Dimension> dimensions() {
    return List.of(Dimension.TABLE, dimension);
  }
}
