package social.feed.api.edge.cost;

import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.math.BigDecimal;
import java.util.Optional;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.log.RequestFields;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;

/**
 * Adds the consumed units to every response that used the table, errors included. A 404 and a
 * hidden resource are the exception: they take different numbers of reads, and must look the same.
 */
@ServerFilter("/v1/**")
public final class CostHeaders implements Ordered {
  private static final String METER = CostHeaders.class.getName();
  private static final String SECRET = METER + ".secret";

  private final CostMetrics metrics;

  CostHeaders(CostMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public int getOrder() {
    return FilterOrder.COST_HEADERS;
  }

  @RequestFilter
  void measure(HttpRequest<?> request, MutablePropagatedContext context) {
    CostMeter meter = new CostMeter();
    request.setAttribute(METER, meter);
    context.add(new BoundMeter(meter));
  }

  @ResponseFilter
  void add(HttpRequest<?> request, MutableHttpResponse<?> response) {
    consumed(request)
        .ifPresent(
            units -> {
              if (!isSecret(request, response)) {
                response.header("X-Consumed-Read-Units", plain(units.read()));
                response.header("X-Consumed-Write-Units", plain(units.write()));
              }
              metrics.count(
                  RequestFields.route(request),
                  BasicHttpAttributes.getUriTemplate(request).orElse("none"),
                  units);
            });
  }

  /** Returns what a request has consumed so far; empty where it did not use the table. */
  public static Optional<ConsumedUnits> consumed(HttpRequest<?> request) {
    return meter(request).filter(CostMeter::isUsed).map(CostMeter::consumed);
  }

  /** Returns the meter of a request; empty before this filter. */
  public static Optional<CostMeter> meter(HttpRequest<?> request) {
    return request.getAttribute(METER, CostMeter.class);
  }

  /** Omits the cost from the response to a request, although it is not a 404. */
  public static void keepSecret(HttpRequest<?> request) {
    request.setAttribute(SECRET, true);
  }

  private static boolean isSecret(HttpRequest<?> request, HttpResponse<?> response) {
    return response.code() == HttpStatus.NOT_FOUND.getCode()
        || request.getAttribute(SECRET).isPresent();
  }

  /** Without an exponent or a trailing zero. */
  private static String plain(double units) {
    return BigDecimal.valueOf(units).stripTrailingZeros().toPlainString();
  }
}
