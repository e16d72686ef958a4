package social.feed.api.edge.operations;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.security.annotation.Secured;
import io.micronaut.security.rules.SecurityRule;
import io.swagger.v3.oas.annotations.Hidden;

/** Serves all meters in Prometheus' text format. */
@Hidden
@Controller("/metrics")
@Secured(SecurityRule.IS_ANONYMOUS)
@ExecuteOn(TaskExecutors.BLOCKING)
final class Metrics {
  private final PrometheusMeterRegistry registry;

  Metrics(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  @Get
  @Produces("text/plain; version=0.0.4; charset=utf-8")
  String scrape() {
    return registry.scrape();
  }
}
