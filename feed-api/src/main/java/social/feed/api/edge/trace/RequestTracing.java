package social.feed.api.edge.trace;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.order.Ordered;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.log.RequestIds;
import social.feed.table.kernel.trace.Tracing;

/**
 * Gives some requests a span, in which the calls of the table have theirs. Which requests, a random
 * number decides, or the proxy. No client can choose. The span has the id of the request and its
 * route, and nothing of its caller.
 */
@ServerFilter("/v1/**")
@Requires(
    property = TracingConfiguration.EXPORTER,
    notEquals = TracingConfiguration.OFF,
    defaultValue = TracingConfiguration.OFF)
final class RequestTracing implements Ordered {
  /** Characters of a {@code traceparent}: version, trace, span and flags. */
  private static final int PARENT_LENGTH = 55;

  private static final String CONTEXT = RequestTracing.class.getName();

  private final Tracing tracing;
  private final TracingConfiguration configuration;
  private final RequestIds ids;

  RequestTracing(Tracing tracing, TracingConfiguration configuration, RequestIds ids) {
    this.tracing = tracing;
    this.configuration = configuration;
    this.ids = ids;
  }

  @Override
  public int getOrder() {
    return FilterOrder.TRACE;
  }

  @RequestFilter
  void begin(HttpRequest<?> request, MutablePropagatedContext propagated) {
    parent(request)
        .map(parent -> tracing.begin(parent, SpanKind.SERVER, "request"))
        .ifPresent(
            context -> {
              request.setAttribute(CONTEXT, context);
              RequestFields.trace(request, Span.fromContext(context).getSpanContext().getTraceId());
              propagated.add(new CurrentSpan(context));
            });
  }

  @ResponseFilter
  void end(HttpRequest<?> request, HttpResponse<?> response) {
    request
        .getAttribute(CONTEXT, Context.class)
        .map(Span::fromContext)
        .ifPresent(
            span -> {
              String route = RequestFields.route(request);
              span.updateName(route)
                  .setAttribute("http.request.method", request.getMethod().name())
                  .setAttribute("http.route", route.substring(route.indexOf(' ') + 1))
                  .setAttribute("http.response.status_code", response.code())
                  .setAttribute("feed.request", ids.of(request));
              if (response.code() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
                span.setStatus(StatusCode.ERROR);
              }
              span.end();
            });
  }

  /** Returns the parent of the request's span; empty for a request without a trace. */
  private Optional<Context> parent(HttpRequest<?> request) {
    String header = configuration.parentHeader();
    List<String> sent = header == null ? List.of() : request.getHeaders().getAll(header);
    // A header that is repeated, or joined from several, was not written by the proxy alone.
    if (sent.size() == 1 && sent.getFirst().length() == PARENT_LENGTH) {
      Context parent =
          W3CTraceContextPropagator.getInstance()
              .extract(Context.root(), sent.getFirst(), new TraceParent());
      if (Span.fromContext(parent).getSpanContext().isValid()) {
        return Optional.of(parent).filter(it -> Span.fromContext(it).getSpanContext().isSampled());
      }
    }
    return tracing.isChosen(configuration.ratio()) ? Optional.of(Context.root()) : Optional.empty();
  }

  /** Reads the one header that is there. */
  private static final class TraceParent implements TextMapGetter<String> {
    private static final String NAME = "traceparent";

    @Override
    public Iterable<String> keys(String value) {
      return List.of(NAME);
    }

    @Override
    public @Nullable String get(@Nullable String value, String key) {
      return key.equals(NAME) ? value : null;
    }
  }

  /**
   * Binds the span of a request to every thread that works for the request.
   *
   * @param context the context with the span
   */
  private record CurrentSpan(Context context) implements ThreadPropagatedContextElement<Scope> {
    /** The framework closes the scope by the other method. */
    @Override
    @SuppressWarnings("MustBeClosedChecker")
    public Scope updateThreadContext() {
      return context.makeCurrent();
    }

    @Override
    public void restoreThreadContext(Scope scope) {
      scope.close();
    }
  }
}
