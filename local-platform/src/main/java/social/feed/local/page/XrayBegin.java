package social.feed.local.page;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.cost.CostHeaders;
import social.feed.api.edge.log.RequestIds;

/** Follows each request from where its cost is measured. */
@ServerFilter("/v1/**")
@Requires(beans = Xray.class)
final class XrayBegin implements Ordered {
  static final String TRACE = XrayBegin.class.getName();
  private static final String OF_THE_PAGE = "/v1/dev/";

  /** It has calls as long as it is open, and no action begins with it. */
  private static final String STREAM = "/v1/stream";

  private final Xray xray;
  private final RequestIds ids;

  XrayBegin(Xray xray, RequestIds ids) {
    this.xray = xray;
    this.ids = ids;
  }

  @Override
  public int getOrder() {
    return FilterOrder.RATE_HEADERS;
  }

  @RequestFilter
  void begin(HttpRequest<?> request) {
    var path = request.getPath();
    if (!path.startsWith(OF_THE_PAGE) && !path.equals(STREAM)) {
      CostHeaders.meter(request)
          .ifPresent(
              meter -> {
                var trace =
                    new Trace(
                        ids.of(request),
                        request.getMethodName(),
                        request.getUri().toString(),
                        Xray.now());
                request.setAttribute(TRACE, xray.begin(meter, trace));
              });
    }
  }
}
