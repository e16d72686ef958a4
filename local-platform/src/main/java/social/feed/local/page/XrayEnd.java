package social.feed.local.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.security.Principal;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.cost.CostHeaders;
import social.feed.api.edge.log.RequestFields;
import social.feed.table.kernel.cost.ConsumedUnits;

/** Notes each response when all other filters are done with it. */
@ServerFilter("/v1/**")
@Requires(beans = Xray.class)
final class XrayEnd implements Ordered {
  private static final String REGISTRATION = "POST /v1/users";

  private final Xray xray;
  private final RouteCurves curves;

  XrayEnd(Xray xray, RouteCurves curves) {
    this.xray = xray;
    this.curves = curves;
  }

  @Override
  public int getOrder() {
    return FilterOrder.REQUEST_LOG;
  }

  @ResponseFilter
  void end(HttpRequest<?> request, HttpResponse<?> response) {
    request
        .getAttribute(XrayBegin.TRACE, Trace.class)
        .ifPresent(
            trace -> {
              var route = RequestFields.route(request);
              var caller = request.getUserPrincipal().map(Principal::getName).orElse(null);
              xray.end(trace, route, caller, response.code());
              curves.add(
                  route,
                  Xray.now() - trace.at,
                  CostHeaders.consumed(request).orElse(ConsumedUnits.NONE));
              if (route.equals(REGISTRATION) && response.code() == HttpStatus.CREATED.getCode()) {
                curves.registered();
              }
            });
  }
}
