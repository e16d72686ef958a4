package social.feed.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.lambda.Tracing;

/**
 * The traces of a stage. All parts send their spans to one place, or a trace would be in two.
 *
 * @param ratio the share of requests that begin a trace; {@code 0} where tracing is off
 * @param collector the URL of a collector; without it spans are sent to X-Ray, by the daemon of
 *     Lambda, which tasks do not have
 */
record TraceInputs(String ratio, Optional<String> collector) {
  static final String TRACING = "tracing";
  static final String COLLECTOR = "collector";

  private static final String OFF = "0";

  /** A URL with a port that the tasks cannot reach. */
  private static final Pattern OTHER_PORT =
      Pattern.compile(
          "https://[^/?#]*:(?!%d(?:[/?#]|$))\\d+(?:[/?#].*)?".formatted(PrivateNetwork.HTTPS));

  TraceInputs {
    if (!ratio.matches("0|1|0\\.\\d{1,6}")) {
      throw new MissingInputException(
          "%s must be the share of requests with a trace, 0 to 1, not %s"
              .formatted(TRACING, ratio));
    }
    // The tasks reach other networks by TLS only.
    if (collector.filter(url -> !url.matches("https://\\S+")).isPresent()) {
      throw new MissingInputException(
          "%s must be a URL that begins with https://, not %s"
              .formatted(COLLECTOR, collector.get()));
    }
  }

  /** Returns the traces in the context of an app. They are off by default. */
  static TraceInputs of(InputContext context) {
    return new TraceInputs(context.value(TRACING, OFF), context.optional(COLLECTOR));
  }

  /**
   * @throws MissingInputException for an API that runs as a service, which has no daemon of X-Ray
   *     and whose tasks reach other networks at one port only
   */
  void require(ApiKind api) {
    if (!isOn() || api == ApiKind.FUNCTION) {
      return;
    }
    if (collector.isEmpty()) {
      throw new MissingInputException(
          "Give the collector to which tasks send their spans: -c %s=https://HOST/v1/traces"
              .formatted(COLLECTOR));
    }
    if (OTHER_PORT.matcher(collector.get()).matches()) {
      throw new MissingInputException(
          "%s must be at port %d, which is the only one that tasks reach in other networks, not %s"
              .formatted(COLLECTOR, PrivateNetwork.HTTPS, collector.get()));
    }
  }

  boolean isOn() {
    return Double.parseDouble(ratio) > 0;
  }

  private boolean isToXray() {
    return isOn() && collector.isEmpty();
  }

  /** Returns the variables of the functions of the lanes, which continue traces. */
  Map<String, String> ofLanes() {
    var variables = new TreeMap<String, String>();
    if (isOn()) {
      variables.put("FEED_TRACING_EXPORTER", isToXray() ? "xray" : "otlp");
      collector.ifPresent(url -> variables.put("FEED_TRACING_ENDPOINT", url));
    }
    return variables;
  }

  /** Returns the variables of the API, which begins traces. */
  Map<String, String> ofApi() {
    var variables = new TreeMap<>(ofLanes());
    if (isOn()) {
      variables.put("FEED_TRACING_RATIO", ratio);
    }
    return variables;
  }

  /** Returns the mode of a function: Lambda runs the daemon for a function that is traced. */
  Tracing ofFunction() {
    return isToXray() ? Tracing.ACTIVE : Tracing.DISABLED;
  }

  /** Returns the rights that Lambda's daemon uses, which have no resource in IAM. */
  List<PolicyStatement> rights() {
    return isToXray()
        ? List.of(
            TableAccess.allow(
                List.of("xray:PutTelemetryRecords", "xray:PutTraceSegments"), List.of("*")))
        : List.of();
  }
}
