package social.feed.api.edge.trace;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;
import social.feed.table.kernel.trace.TraceExporters;

/**
 * The traces of requests and of their effects. API and function each have these settings.
 *
 * @param exporter where spans are sent: {@code none}, {@code log}, {@code otlp} to a collector, or
 *     {@code xray} to a daemon of X-Ray, as Lambda has one
 * @param endpoint for {@code otlp} the URL of the collector, by default {@code
 *     http://localhost:4318/v1/traces}; for {@code xray} host and port of the daemon, by default
 *     Lambda's
 * @param ratio the share of requests that begin a trace, 0 to 1; the function begins none, and
 *     continues those of requests
 * @param parentHeader the header that the proxy sets to a W3C {@code traceparent}, over a value of
 *     the client; it then decides which requests have a trace, and without it no header does
 */
@ConfigurationProperties("feed.tracing")
public record TracingConfiguration(
    @Bindable(defaultValue = TracingConfiguration.OFF)
        @NotNull
        @Pattern(regexp = TraceExporters.NAMES, message = "must be none, log, otlp or xray")
        String exporter,
    @Nullable String endpoint,
    @Bindable(defaultValue = "0.01") @PositiveOrZero @DecimalMax("1") double ratio,
    @Nullable String parentHeader) {
  static final String EXPORTER = "feed.tracing.exporter";
  static final String OFF = "none";
}
