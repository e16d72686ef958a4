package social.feed.api.edge.query;

import io.micronaut.core.order.Ordered;
import io.micronaut.core.type.Argument;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.web.router.MethodBasedRouteMatch;
import io.micronaut.web.router.RouteAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.json.BodyCheck;
import social.feed.api.edge.paging.PageParameters;
import social.feed.api.edge.problem.FieldError;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.problem.RequestErrors;

/**
 * Refuses query variables that are empty or given twice. The framework would use the default, or
 * the first value. It also refuses those of {@link PageParameters} where a route has no such pages:
 * who follows a cursor would read the same items again and again. Other variables that a route does
 * not know are ignored. {@link RequestErrors} adds what is wrong with the rest of the request.
 *
 * <p>After the query it lets {@link BodyCheck} check the body, since the framework would bind the
 * body again for another filter.
 */
@ServerFilter("/v1/**")
final class QueryCheck implements Ordered {

  @Override
  public int getOrder() {
    return FilterOrder.QUERY_CHECK;
  }

  @RequestFilter
  void filter(HttpRequest<?> request, @Body byte @Nullable [] body) {
    check(request, body);
    BodyCheck.check(request, body);
  }

  private static void check(HttpRequest<?> request, byte @Nullable [] body) {
    if (BasicHttpAttributes.getUriTemplate(request).isEmpty()) {
      // No route matches, so the response is 404 or 405 with any query.
      return;
    }
    List<FieldError> errors = new ArrayList<>();
    for (Map.Entry<String, List<String>> variable : request.getParameters()) {
      if (variable.getValue().size() > 1) {
        errors.add(new FieldError(variable.getKey(), "is given more than once"));
      } else if (variable.getValue().contains("")) {
        errors.add(new FieldError(variable.getKey(), "is empty"));
      } else if (PageParameters.NAMES.contains(variable.getKey())
          && !takes(request, variable.getKey())) {
        errors.add(new FieldError(variable.getKey(), "is no variable of this route"));
      }
    }
    if (!errors.isEmpty()) {
      errors.sort(Comparator.comparing(FieldError::field));
      RequestErrors.keepBody(request, body);
      throw ProblemException.invalid(errors);
    }
  }

  private static boolean takes(HttpRequest<?> request, String name) {
    return RouteAttributes.getRouteMatch(request)
        .map(route -> route instanceof MethodBasedRouteMatch<?, ?> match ? match : null)
        .map(route -> Stream.of(route.getArguments()).anyMatch(argument -> takes(argument, name)))
        .orElse(true);
  }

  private static boolean takes(Argument<?> argument, String name) {
    return argument.getType() == PageParameters.class
        ? PageParameters.names(argument).contains(name)
        : argument.getName().equals(name);
  }
}
