package social.feed.api.edge.log;

import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpAttributes;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.web.router.RouteMatch;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;
import social.feed.table.kernel.id.TimeOrderedId;
import social.feed.table.log.Pseudonyms;

/** What log lines say about the request that they belong to. */
public final class RequestFields {
  private static final Pattern ID = Pattern.compile(TimeOrderedId.PATTERN);
  private static final String ATTRIBUTE = RequestFields.class.getName();
  private static final String TRACE = ATTRIBUTE + ".trace";
  private static final String POSTS = "/v1/posts/";
  private static final String OF_POST = POSTS + "{id}";

  private final Map<String, String> fields;

  private RequestFields(Map<String, String> fields) {
    this.fields = fields;
  }

  /**
   * Returns method and template of the route, such as {@code GET /v1/posts/{id}}. The path would
   * name members. A request without a route has none.
   */
  public static String route(HttpRequest<?> request) {
    HttpMethod method =
        request.getMethod() == HttpMethod.HEAD ? HttpMethod.GET : request.getMethod();
    return BasicHttpAttributes.getUriTemplate(request)
        .map(template -> method + " " + withoutQuery(template))
        .orElse("none");
  }

  private static String withoutQuery(String template) {
    int query = template.indexOf("{?");
    return query < 0 ? template : template.substring(0, query);
  }

  /** Returns the fields that are known before the route runs. They are computed once. */
  public static Map<String, String> of(String id, HttpRequest<?> request) {
    return request
        .getAttribute(ATTRIBUTE, RequestFields.class)
        .map(known -> known.fields)
        .orElseGet(
            () -> {
              Map<String, String> fields = compute(id, request);
              if (fields.containsKey("caller")) {
                request.setAttribute(ATTRIBUTE, new RequestFields(fields));
              }
              return fields;
            });
  }

  private static Map<String, String> compute(String id, HttpRequest<?> request) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("request", id);
    fields.put("route", route(request));
    request
        .getUserPrincipal()
        .ifPresent(member -> fields.put("caller", Pseudonyms.ofMember(member.getName())));
    ofPath(request).ifPresent(post -> fields.put("post", post));
    return fields;
  }

  /** Notes the id of the trace of a request. */
  public static void trace(HttpRequest<?> request, String id) {
    request.setAttribute(TRACE, id);
  }

  /** Returns the id of the trace of a request; empty for most. */
  public static Optional<String> trace(HttpRequest<?> request) {
    return request.getAttribute(TRACE, String.class);
  }

  /** Returns the post that a request created, from the address of its response. */
  public static Optional<String> created(HttpResponse<?> response) {
    return Optional.ofNullable(response.getHeaders().get(HttpHeaders.LOCATION))
        .filter(location -> location.startsWith(POSTS))
        .map(location -> location.substring(POSTS.length()).replaceFirst("/.*", ""))
        .filter(id -> ID.matcher(id).matches());
  }

  private static Optional<String> ofPath(HttpRequest<?> request) {
    return route(request).contains(" " + OF_POST)
        ? request
            .getAttribute(HttpAttributes.ROUTE_MATCH, RouteMatch.class)
            .map(match -> String.valueOf(match.getVariableValues().get("id")))
            .filter(id -> ID.matcher(id).matches())
        : Optional.empty();
  }

  /** Adds fields to a line. */
  public static LoggingEventBuilder with(Map<String, ?> fields, LoggingEventBuilder line) {
    LoggingEventBuilder whole = line;
    for (Map.Entry<String, ?> field : fields.entrySet()) {
      whole = whole.addKeyValue(field.getKey(), field.getValue());
    }
    return whole;
  }

  /** Returns a task whose log lines have the fields of the current request. */
  public static Runnable carriedInto(Runnable task) {
    Map<String, String> fields = MDC.getCopyOfContextMap();
    if (fields == null || fields.isEmpty()) {
      return task;
    }
    return () -> {
      MDC.setContextMap(fields);
      try {
        task.run();
      } finally {
        MDC.clear();
      }
    };
  }
}
