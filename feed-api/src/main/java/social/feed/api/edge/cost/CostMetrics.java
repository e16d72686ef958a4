package social.feed.api.edge.cost;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import social.feed.table.kernel.cost.ConsumedUnits;

/**
 * Counts the request units of each route: {@code feed_read_units_total}, {@code
 * feed_write_units_total}.
 */
@Singleton
public final class CostMetrics {
  private final MeterRegistry registry;

  CostMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * @param route the template of the route, which bounds the number of series
   */
  public void count(String route, ConsumedUnits units) {
    registry.counter("feed.read.units", "route", route).increment(units.read());
    registry.counter("feed.write.units", "route", route).increment(units.write());
  }
}
