package social.feed.api.edge.operations;

import io.micronaut.context.propagation.slf4j.MdcPropagationContext;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.log.LogConfiguration;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.log.RequestIds;

/** Adds the caller, the route and the post to the log lines of a request. */
@ServerFilter("/v1/**")
final class CallerLogging implements Ordered {
  private final RequestIds ids;
  private final LogConfiguration configuration;

  CallerLogging(RequestIds ids, LogConfiguration configuration) {
    this.ids = ids;
    this.configuration = configuration;
  }

  @Override
  public int getOrder() {
    return FilterOrder.CALLER_LOG;
  }

  @RequestFilter
  void add(HttpRequest<?> request, MutablePropagatedContext context) {
    if (configuration.isJson()) {
      context.add(new MdcPropagationContext(RequestFields.of(ids.of(request), request)));
    }
  }
}
