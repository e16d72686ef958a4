package social.feed.api.edge.operations;

import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.cost.CostHeaders;
import social.feed.api.edge.log.LineAtEnd;
import social.feed.api.edge.log.LogConfiguration;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.log.RequestIds;
import social.feed.api.edge.log.RouteMetrics;
import social.feed.table.kernel.cost.ConsumedUnits;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.log.Pseudonyms;
import social.feed.table.row.Key;

/**
 * Gives each request its id, and logs a line for each request where lines are JSON. The line has
 * the hashes of the items that the request wrote: the log of the function has the same for each
 * change that it handles.
 */
@ServerFilter("/v1/**")
final class RequestLogging implements Ordered {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLogging.class);
  private static final String BEGIN = RequestLogging.class.getName();

  private final RequestIds ids;
  private final LogConfiguration configuration;
  private final RouteMetrics metrics;

  RequestLogging(RequestIds ids, LogConfiguration configuration, RouteMetrics metrics) {
    this.ids = ids;
    this.configuration = configuration;
    this.metrics = metrics;
  }

  @Override
  public int getOrder() {
    return FilterOrder.REQUEST_LOG;
  }

  @RequestFilter
  void begin(HttpRequest<?> request, MutablePropagatedContext context) {
    String id = ids.of(request);
    if (configuration.isJson()) {
      request.setAttribute(BEGIN, System.nanoTime());
      context.add(new MdcPropagationContext(Map.of("request", id)));
    }
  }

  @ResponseFilter
  void end(HttpRequest<?> request, MutableHttpResponse<?> response) {
    ids.addTo(request, response);
    request
        .getAttribute(BEGIN, Long.class)
        .ifPresent(
            begin -> {
              long nanos = System.nanoTime() - begin;
              LineAtEnd.of(request)
                  .ifPresentOrElse(
                      end -> end.is(status -> log(request, response, nanos, status)),
                      () -> log(request, response, nanos, response.code()));
            });
  }

  private void log(
      HttpRequest<?> request, MutableHttpResponse<?> response, long nanos, int status) {
    double millis = TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
    Optional<ConsumedUnits> units = CostHeaders.consumed(request);
    List<Key> written = CostHeaders.meter(request).map(CostMeter::written).orElse(List.of());
    Map<String, Object> fields = new LinkedHashMap<>(RequestFields.of(ids.of(request), request));
    RequestFields.created(response).ifPresent(post -> fields.put("post", post));
    RequestFields.trace(request).ifPresent(trace -> fields.put("trace", trace));
    fields.put("status", status);
    fields.put("ms", millis);
    units.ifPresent(
        consumed -> {
          fields.put("read_units", consumed.read());
          fields.put("write_units", consumed.write());
        });
    if (!written.isEmpty()) {
      fields.put("items", Pseudonyms.ofItems(written));
    }
    RequestFields.with(fields, LOG.atInfo()).log("Request");
    metrics.request(RequestFields.route(request), millis);
  }
}
