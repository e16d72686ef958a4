package social.feed.ctl.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.UnitPrices;

/**
 * The results of a load as one document of JSON, from which the page and the summary are rendered.
 * Times are in milliseconds unless a field names another unit.
 */
public final class LoadReport {
  /** What a report says whose lags are incomplete. */
  static final String GIVEN_UP =
      "The probe of the lag gave up after ten failures: the lags are those until then.";

  /** The largest share of all requests whose answer may be no success. */
  private static final double MOST_REFUSED = 0.05;

  /** The same for the requests of one action, if they are not few. */
  private static final double MOST_REFUSED_OF_ACTION = 0.5;

  private static final int FEW = 10;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS_OF_MILLI = 1e6;
  private static final double NANOS = 1e9;
  private static final int DECIMALS = 3;
  private static final int DECIMALS_OF_DOLLARS = 6;
  private static final double[] PERCENTILES = {
    0, 10, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 100
  };

  private final ObjectNode json;

  private LoadReport(ObjectNode json) {
    this.json = json;
  }

  /**
   * What was run.
   *
   * @param target the API, or its processes
   * @param graph the graph in words
   */
  public record Run(
      String target,
      String graph,
      SocialGraph accounts,
      LoadRun.Settings settings,
      UnitPrices prices) {}

  /**
   * What was found after the run.
   *
   * @param drained the time until all writes had had their effects; empty if it is unknown
   * @param behind the units of the effects of the load and the probe; empty if they are unknown
   * @param verified the rows and the drift that a verification found; empty if there was none
   */
  public record After(
      Optional<Duration> drained, Optional<ConsumedUnits> behind, Optional<Verified> verified) {
    /** Nothing was looked at. */
    public static final After NOTHING =
        new After(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** The result of a verification. */
  public record Verified(long rows, long drift) {}

  /** Returns the report of a load. */
  public static LoadReport of(Run run, LoadRun.Results results, After after) {
    var json = JSON.createObjectNode();
    json.put("target", run.target());
    json.put("graph", run.graph());
    json.put("accounts", run.accounts().size());
    json.put("follows", run.accounts().edges());
    json.put("posts_of_each", run.settings().posts());
    json.put("seed", run.settings().seed());
    json.put("rate", run.settings().perSecond());
    json.put("duration_s", seconds(run.settings().duration()));
    json.put("stopped", results.isStopped());
    requests(json.putObject("requests"), results.load());
    var all = results.load().latency();
    times(json.putObject("latency"), all);
    var service = new Histogram(3);
    results.load().groups().values().forEach(group -> service.add(group.service()));
    times(json.putObject("service_time"), service);
    times(json.putObject("delay"), results.load().delay());
    results.load().codes().forEach(json.putObject("codes")::put);
    actions(json, run, results);
    units(json.putObject("units"), run, results, after);
    overTime(json, results.load());
    for (double percentile : PERCENTILES) {
      var point = json.withArrayProperty("distribution").addObject();
      point.put("percentile", percentile);
      point.put("latency", millis(all.getValueAtPercentile(percentile)));
      point.put("service_time", millis(service.getValueAtPercentile(percentile)));
    }
    var lag = json.putObject("lag");
    lag(lag.putObject("effects"), results.effects());
    lag(lag.putObject("counts"), results.counts());
    lag.put("failed", results.failedMeasurements());
    lag.put("given_up", results.failedMeasurements() >= LagProbe.MOST_FAILURES);
    after.drained().ifPresent(time -> json.put("drained_s", seconds(time)));
    after
        .verified()
        .ifPresent(
            verified ->
                json.putObject("verified")
                    .put("rows", verified.rows())
                    .put("drift", verified.drift()));
    return new LoadReport(json);
  }

  private static void requests(ObjectNode json, OpenLoad.Result result) {
    long sent = result.scheduled() - result.unsent();
    json.put("scheduled", result.scheduled());
    json.put("sent", sent);
    json.put("answered", OpenLoad.answered(result.codes()));
    json.put("unsent", result.unsent());
    json.put("late", result.late());
    json.put("elapsed_s", seconds(result.elapsed()));
    json.put("sent_per_second", rounded(sent * NANOS / Math.max(1, result.sending().toNanos()), 1));
  }

  private static void actions(ObjectNode json, Run run, LoadRun.Results results) {
    var effects = PlannedEffects.in(run.accounts(), run.settings().posts());
    json.putObject("planned_effects")
        .put("followers", effects.followers())
        .put("posts", effects.posts());
    var list = json.putArray("actions");
    for (var action : Action.values()) {
      var group = results.load().groups().get(action.key());
      if (group == null) {
        continue;
      }
      var units = results.units().getOrDefault(action, ConsumedUnits.NONE);
      var node = list.addObject();
      node.put("action", action.key());
      node.put("route", action.route());
      node.put("requests", group.latency().getTotalCount());
      node.put("errors", errors(group.codes()));
      group.codes().forEach(node.putObject("codes")::put);
      times(node.putObject("latency"), group.latency());
      times(node.putObject("service_time"), group.service());
      cost(node, run, units);
      var one = effects.of(action);
      long done = succeeded(group.codes());
      cost(
          node.putObject("effects"), run, new ConsumedUnits(done * one.read(), done * one.write()));
    }
  }

  private static void units(ObjectNode json, Run run, LoadRun.Results results, After after) {
    json.put("dollars_a_million_reads", run.prices().millionReads());
    json.put("dollars_a_million_writes", run.prices().millionWrites());
    var requests =
        results.units().values().stream().reduce(ConsumedUnits.NONE, ConsumedUnits::plus);
    cost(json.putObject("requests"), run, requests);
    cost(
        json.putObject("probe"),
        run,
        results.probe().values().stream().reduce(ConsumedUnits.NONE, ConsumedUnits::plus));
    after.behind().ifPresent(behind -> cost(json.putObject("behind"), run, behind));
  }

  private static void cost(ObjectNode json, Run run, ConsumedUnits units) {
    json.put("read_units", rounded(units.read(), DECIMALS));
    json.put("write_units", rounded(units.write(), DECIMALS));
    json.put("dollars", rounded(run.prices().of(units), DECIMALS_OF_DOLLARS));
  }

  private static void overTime(ObjectNode json, OpenLoad.Result result) {
    var list = json.putArray("over_time");
    for (var slice : result.slices()) {
      var node = list.addObject();
      node.put("from_s", slice.from().toSeconds());
      node.put("requests", slice.latency().getTotalCount());
      node.put("errors", errors(slice.codes()));
      node.put("p50", millis(slice.latency().getValueAtPercentile(50)));
      node.put("p99", millis(slice.latency().getValueAtPercentile(99)));
      node.put("max", millis(slice.latency().getMaxValue()));
    }
  }

  private static void times(ObjectNode json, Histogram nanos) {
    json.put("p50", millis(nanos.getValueAtPercentile(50)));
    json.put("p90", millis(nanos.getValueAtPercentile(90)));
    json.put("p99", millis(nanos.getValueAtPercentile(99)));
    json.put("p99_9", millis(nanos.getValueAtPercentile(99.9)));
    json.put("max", millis(nanos.getMaxValue()));
  }

  private static void lag(ObjectNode json, LoadRun.Lag lag) {
    json.put("measured", lag.seen().getTotalCount());
    json.put("p50", lag.seen().getValueAtPercentile(50));
    json.put("p99", lag.seen().getValueAtPercentile(99));
    json.put("max", lag.seen().getMaxValue());
    json.put("unseen", lag.unseen());
  }

  /** Returns the number of requests whose code is no success. */
  static long errors(Map<String, Long> codes) {
    return codes.entrySet().stream()
        .filter(code -> !code.getKey().startsWith("2"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static long succeeded(Map<String, Long> codes) {
    return codes.entrySet().stream()
        .filter(code -> code.getKey().startsWith("2"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Returns the number of requests that failed on the side of the server, or on the way to it. */
  static long failures(Map<String, Long> codes) {
    return codes.entrySet().stream()
        .filter(code -> !code.getKey().matches("[23].*|404.*|409.*|429.*"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static double millis(long nanos) {
    return rounded(nanos / NANOS_OF_MILLI, DECIMALS);
  }

  private static double seconds(Duration time) {
    return rounded(time.toNanos() / NANOS, DECIMALS);
  }

  private static double rounded(double number, int decimals) {
    return BigDecimal.valueOf(number).setScale(decimals, RoundingMode.HALF_UP).doubleValue();
  }

  /**
   * Returns whether every request was sent and answered as a correct client expects, not too many
   * were refused, no measurement of the lag failed, no effect was missing, and no drift was found.
   */
  public boolean isClean() {
    var codes = new TreeMap<String, Long>();
    json.path("codes").properties().forEach(e -> codes.put(e.getKey(), e.getValue().asLong()));
    return failures(codes) == 0
        && json.path("requests").path("unsent").asLong() == 0
        && json.path("lag").findParents("unseen").stream().allMatch(LoadReport::isSeen)
        && json.path("lag").path("failed").asLong() == 0
        && refusals(json).isEmpty()
        && json.path("verified").path("drift").asLong() == 0;
  }

  private static boolean isSeen(JsonNode lag) {
    return lag.path("measured").asLong() > 0 && lag.path("unseen").asLong() == 0;
  }

  /** Returns a sentence for each share of answers without success that is too large. */
  static List<String> refusals(JsonNode report) {
    var sentences = new ArrayList<String>();
    long requests = 0;
    long errors = 0;
    for (var action : report.path("actions")) {
      long ofAction = action.path("requests").asLong();
      long failed = action.path("errors").asLong();
      requests += ofAction;
      errors += failed;
      if (ofAction >= FEW && failed > ofAction * MOST_REFUSED_OF_ACTION) {
        sentences.add(
            "%,d of %,d requests of the action %s had no success, which is more than half."
                .formatted(failed, ofAction, action.path("action").asText()));
      }
    }
    if (requests >= FEW && errors > requests * MOST_REFUSED) {
      sentences.add(
          "%,d of %,d requests had no success, which is more than 5 %%."
              .formatted(errors, requests));
    }
    return sentences;
  }

  /** Returns a sentence about the failed measurements of the lag, if there are any. */
  static Optional<String> failedMeasurements(JsonNode report) {
    var lag = report.path("lag");
    return Optional.of(lag.path("failed").asLong())
        .filter(failed -> failed > 0)
        .map(
            failed ->
                lag.path("given_up").asBoolean()
                    ? GIVEN_UP
                    : "Measurements of the lag that ended with an error: %,d.".formatted(failed));
  }

  /** Returns the document. */
  public String json() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a page for browsers with the same numbers. It loads nothing. */
  public String html() {
    return new LoadPage(json).render();
  }

  /** Returns some lines for a terminal. */
  public String summary() {
    var text = new StringBuilder();
    var requests = json.path("requests");
    text.append(
        "%,d requests scheduled, %,d sent (%s a second), %,d late, %,d not sent.%n"
            .formatted(
                requests.path("scheduled").asLong(),
                requests.path("sent").asLong(),
                requests.path("sent_per_second").asText(),
                requests.path("late").asLong(),
                requests.path("unsent").asLong()));
    text.append(
        "%-14s %-36s %9s %7s %9s %9s %9s %9s %9s%n"
            .formatted(
                "action",
                "route",
                "requests",
                "errors",
                "p50 ms",
                "p99 ms",
                "max ms",
                "reads",
                "writes"));
    for (var action : json.path("actions")) {
      text.append(
          "%-14s %-36s %,9d %,7d %9.1f %9.1f %9.1f %,9.1f %,9.1f%n"
              .formatted(
                  action.path("action").asText(),
                  action.path("route").asText(),
                  action.path("requests").asLong(),
                  action.path("errors").asLong(),
                  action.path("latency").path("p50").asDouble(),
                  action.path("latency").path("p99").asDouble(),
                  action.path("latency").path("max").asDouble(),
                  action.path("read_units").asDouble(),
                  action.path("write_units").asDouble()));
    }
    var codes = new TreeMap<String, Long>();
    json.path("codes").properties().forEach(e -> codes.put(e.getKey(), e.getValue().asLong()));
    text.append("codes: ").append(codes).append(System.lineSeparator());
    refusals(json).forEach(sentence -> text.append(sentence).append(System.lineSeparator()));
    text.append(cost("requests", "the requests"))
        .append(cost("probe", "the probe of the lag"))
        .append(cost("behind", "the effects"));
    for (var lane : new String[] {"effects", "counts"}) {
      var lag = json.path("lag").path(lane);
      text.append(
          "lag of %s: p50 %,d ms, p99 %,d ms, max %,d ms, %,d measured, %,d not visible.%n"
              .formatted(
                  lane,
                  lag.path("p50").asLong(),
                  lag.path("p99").asLong(),
                  lag.path("max").asLong(),
                  lag.path("measured").asLong(),
                  lag.path("unseen").asLong()));
    }
    failedMeasurements(json)
        .ifPresent(sentence -> text.append(sentence).append(System.lineSeparator()));
    if (json.has("drained_s")) {
      text.append(
          "The stream was drained %.1f s after the end.%n"
              .formatted(json.path("drained_s").asDouble()));
    }
    if (json.has("verified")) {
      text.append(
          "verify: %,d rows, %,d drift.%n"
              .formatted(
                  json.path("verified").path("rows").asLong(),
                  json.path("verified").path("drift").asLong()));
    }
    return text.toString();
  }

  private String cost(String field, String what) {
    var cost = json.path("units").path(field);
    return cost.isMissingNode()
        ? ""
        : "units of %s: %,.1f read, %,.1f write, %.6f dollars.%n"
            .formatted(
                what,
                cost.path("read_units").asDouble(),
                cost.path("write_units").asDouble(),
                cost.path("dollars").asDouble());
  }
}
