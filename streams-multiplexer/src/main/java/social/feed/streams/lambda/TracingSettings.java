package social.feed.streams.lambda;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * The traces of requests and of their effects. API and function each have these settings.
 *
 * @param exporter where spans are sent: {@code none}, {@code log}, {@code otlp} to a collector, or
 *     {@code xray} to a daemon of X-Ray, as Lambda has one
 * @param endpoint for {@code otlp} the URL of the collector, by default {@code
 *     http://localhost:4318/v1/traces}; for {@code xray} host and port of the daemon, by default
 *     Lambda's
 */
@Requires(property = "feed.multiplexer.dead-letter-queue-url")
@ConfigurationProperties("feed.tracing")
public record TracingSettings(
    @Bindable(defaultValue = TracingSettings.OFF) String exporter, @Nullable String endpoint) {
  static final String EXPORTER = "feed.tracing.exporter";
  static final String OFF = "none";
}
