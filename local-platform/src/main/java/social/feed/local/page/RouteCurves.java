package social.feed.local.page;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import social.feed.table.kernel.cost.ConsumedUnits;

/** Requests, latencies and units of each route in the last 15 minutes, in steps of ten seconds. */
@Singleton
@Requires(beans = Xray.class)
final class RouteCurves {
  static final int STEPS = 90;
  static final long STEP_MILLIS = 10_000;

  /** The most latencies of a step; those after it are not in its percentiles. */
  private static final int SAMPLES = 500;

  private static final double P99 = 0.99;
  private static final double P50 = 0.5;

  private final Map<String, Map<Long, Step>> routes = new TreeMap<>();
  private final AtomicInteger registrations = new AtomicInteger();

  /** What was counted in ten seconds. */
  private static final class Step {
    private int requests;
    private ConsumedUnits units = ConsumedUnits.NONE;
    private final List<Double> millis = new ArrayList<>();

    private double percentile(double part) {
      if (millis.isEmpty()) {
        return 0;
      }
      Collections.sort(millis);
      return millis.get((int) Math.min(millis.size() - 1.0, Math.floor(part * millis.size())));
    }
  }

  /** The curves of a route, each with {@value #STEPS} values, the oldest first. */
  record Curve(
      String route,
      List<Double> requests,
      List<Double> p50,
      List<Double> p99,
      List<Double> readUnits,
      List<Double> writeUnits) {}

  synchronized void add(String route, double millis, ConsumedUnits units) {
    long now = now();
    var steps = routes.computeIfAbsent(route, _ -> new TreeMap<>());
    steps.keySet().removeIf(step -> step <= now - STEPS);
    var step = steps.computeIfAbsent(now, _ -> new Step());
    step.requests++;
    step.units = step.units.plus(units);
    if (step.millis.size() < SAMPLES) {
      step.millis.add(millis);
    }
  }

  /** Counts an account that was created. */
  void registered() {
    registrations.incrementAndGet();
  }

  /** Returns the number of accounts that this process created since its start. */
  int registrations() {
    return registrations.get();
  }

  private static long now() {
    return System.currentTimeMillis() / STEP_MILLIS;
  }

  /** Returns the curves of the routes in use, by name. */
  synchronized List<Curve> curves() {
    long now = now();
    return routes.entrySet().stream()
        .filter(route -> route.getValue().keySet().stream().anyMatch(step -> step > now - STEPS))
        .map(
            route ->
                new Curve(
                    route.getKey(),
                    values(route.getValue(), now, step -> (double) step.requests),
                    values(route.getValue(), now, step -> step.percentile(P50)),
                    values(route.getValue(), now, step -> step.percentile(P99)),
                    values(route.getValue(), now, step -> step.units.read()),
                    values(route.getValue(), now, step -> step.units.write())))
        .toList();
  }

  private static List<Double> values(
      Map<Long, Step> steps, long now, Function<Step, Double> value) {
    var values = new ArrayList<Double>();
    for (long at = now - STEPS + 1; at <= now; at++) {
      var step = steps.get(at);
      values.add(step == null ? 0.0 : value.apply(step));
    }
    return values;
  }
}
