package social.feed.api.edge.log;

import io.micronaut.scheduling.annotation.Scheduled;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.log.EmbeddedMetrics;
import social.feed.table.log.PlatformMetric;

/**
 * Logs what the requests of each route took and consumed, in lines that CloudWatch turns into
 * metrics: each minute a line for each route in use, and for each hundred requests of a route.
 */
@Singleton
public final class RouteMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(RouteMetrics.class);

  private final boolean isOn;
  private final String table;
  private final InstantSource clock;
  private final ConcurrentHashMap<String, Sums> routes = new ConcurrentHashMap<>();

  /** What was counted for a route since its last line. */
  private static final class Sums {
    private double read;
    private double write;
    private final List<Double> latencies = new ArrayList<>();
  }

  RouteMetrics(LogConfiguration log, DynamoDbConfiguration table, InstantSource clock) {
    this.isOn = log.isJson() && log.metrics();
    this.table = table.table();
    this.clock = clock;
  }

  /** Counts a request. */
  public void request(String route, double millis) {
    if (isOn) {
      count(route, sums -> sums.latencies.add(millis));
    }
  }

  /** Counts units, in addition to those that were counted before. */
  public void units(String route, ConsumedUnits units) {
    if (isOn) {
      count(
          route,
          sums -> {
            sums.read += units.read();
            sums.write += units.write();
          });
    }
  }

  private void count(String route, Consumer<Sums> change) {
    Sums _ =
        routes.compute(
            route,
            (_, known) -> {
              Sums sums = known == null ? new Sums() : known;
              change.accept(sums);
              return sums;
            });
  }

  /** Logs what was counted, and begins again. */
  @PreDestroy
  @Scheduled(fixedDelay = "1m", initialDelay = "1m")
  public void flush() {
    for (String route : List.copyOf(routes.keySet())) {
      Sums sums = routes.remove(route);
      if (sums != null) {
        log(route, sums);
      }
    }
  }

  /** Forgets what was counted. */
  public void forget() {
    routes.clear();
  }

  /** The first line of a route has the units. */
  private void log(String route, Sums sums) {
    int from = 0;
    do {
      int to = Math.min(sums.latencies.size(), from + EmbeddedMetrics.VALUES);
      EmbeddedMetrics line =
          new EmbeddedMetrics(table, PlatformMetric.Dimension.ROUTE, route)
              .each(PlatformMetric.LATENCY, sums.latencies.subList(from, to));
      if (from == 0) {
        line.sum(PlatformMetric.ROUTE_READ_UNITS, sums.read);
        line.sum(PlatformMetric.ROUTE_WRITE_UNITS, sums.write);
      }
      RequestFields.with(line.fields(clock.instant()), LOG.atInfo()).log("Metrics");
      from = to;
    } while (from < sums.latencies.size());
  }
}
