package social.feed.api.edge.cost;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.concurrent.ConcurrentHashMap;
import social.feed.api.edge.log.RouteMetrics;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * Counts the request units of each route: {@code feed_read_units_total}, {@code
 * feed_write_units_total}, and on AWS the same in log lines.
 */
@Singleton
public final class CostMetrics {
  private final MeterRegistry registry;
  private final RouteMetrics lines;

  /** As many as there are routes. The registry would find them by their sorted tags each time. */
  private final ConcurrentHashMap<String, Counters> byRoute = new ConcurrentHashMap<>();

  private record Counters(Counter read, Counter write) {}

  CostMetrics(MeterRegistry registry, RouteMetrics lines) {
    this.registry = registry;
    this.lines = lines;
  }

  /**
   * Counts the units of a request, or of a part of a response that lasts.
   *
   * @param method the method of the route
   * @param route the template of the route, which bounds the number of series
   */
  public void count(HttpMethod method, String route, ConsumedUnits units) {
    count(method + " " + route, route, units);
  }

  /**
   * @param name method and template, or {@code none}
   */
  void count(String name, String route, ConsumedUnits units) {
    lines.units(name, units);
    Counters counters = byRoute.computeIfAbsent(route, this::counters);
    counters.read.increment(units.read());
    counters.write.increment(units.write());
  }

  private Counters counters(String route) {
    return new Counters(
        registry.counter("feed.read.units", "route", route),
        registry.counter("feed.write.units", "route", route));
  }
}
