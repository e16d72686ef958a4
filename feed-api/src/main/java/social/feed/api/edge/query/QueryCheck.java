package social.feed.api.edge.query;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.problem.FieldError;
import social.feed.api.edge.problem.ProblemException;
import social.feed.api.edge.problem.RequestErrors;

/**
 * Refuses query variables that are empty or given twice. The framework would use the default, or
 * the first value. {@link RequestErrors} adds what is wrong with the rest of the request.
 */
@ServerFilter("/v1/**")
final class QueryCheck implements Ordered {

  @Override
  public int getOrder() {
    return FilterOrder.QUERY_CHECK;
  }

  @RequestFilter
  void check(HttpRequest<?> request, @Body byte @Nullable [] body) {
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
      }
    }
    if (!errors.isEmpty()) {
      errors.sort(Comparator.comparing(FieldError::field));
      RequestErrors.keepBody(request, body);
      throw ProblemException.invalid(errors);
    }
  }
}
