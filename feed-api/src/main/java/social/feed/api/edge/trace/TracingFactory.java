package social.feed.api.edge.trace;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import social.feed.table.kernel.trace.TraceExporters;
import social.feed.table.kernel.trace.Tracing;

/** Creates the tracing of the API. There is none where it is off. */
@Factory
@Requires(
    property = TracingConfiguration.EXPORTER,
    notEquals = TracingConfiguration.OFF,
    defaultValue = TracingConfiguration.OFF)
final class TracingFactory {

  @Singleton
  @Bean(preDestroy = "close")
  Tracing tracing(TracingConfiguration configuration) {
    return TraceExporters.tracing(configuration.exporter(), configuration.endpoint(), "feed-api")
        .orElseThrow();
  }
}
