package social.feed.api.edge.security;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.web.router.RouteAttributes;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Refuses routes of operators to other callers, with the response of an unknown route. The claim
 * {@code scope} has the scopes, separated by spaces (RFC 9068).
 */
@ServerFilter("/v1/**")
final class OperatorCheck implements Ordered {
  private static final String SCOPE = "scope";

  private final String required;

  OperatorCheck(AuthConfiguration configuration) {
    this.required = configuration.operatorScope();
  }

  @Override
  public int getOrder() {
    return FilterOrder.OPERATOR_CHECK;
  }

  @RequestFilter
  void check(HttpRequest<?> request) {
    boolean isForOperators =
        RouteAttributes.getRouteMatch(request)
            .filter(
                route ->
                    route.getRouteInfo().getAnnotationMetadata().hasAnnotation(OperatorsOnly.class))
            .isPresent();
    if (isForOperators && !isOperator(request)) {
      throw new ProblemException(ProblemCode.NOT_FOUND);
    }
  }

  private boolean isOperator(HttpRequest<?> request) {
    return request
        .getUserPrincipal(Authentication.class)
        .map(member -> scopes(member.getAttributes().get(SCOPE)).contains(required))
        .orElse(false);
  }

  private static Collection<?> scopes(@Nullable Object claim) {
    return switch (claim) {
      case String all -> List.of(all.split(" ", -1));
      case Collection<?> all -> all;
      case null, default -> List.of();
    };
  }
}
