package social.feed.api.edge.security;

import static social.feed.api.edge.security.TokenAudience.MEMBER;
import static social.feed.api.edge.security.TokenAudience.OPERATOR;

import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.web.router.RouteAttributes;
import java.util.Map;
import java.util.Optional;
import social.feed.api.edge.FilterOrder;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/**
 * Refuses routes of operators to other callers, with the response of an unknown route, and all
 * other routes to a token that is for operators only: its subject is no account.
 */
@ServerFilter("/v1/**")
final class OperatorCheck implements Ordered {
  private final AuthConfiguration configuration;

  OperatorCheck(AuthConfiguration configuration) {
    this.configuration = configuration;
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
    Optional<Map<String, Object>> claims =
        request.getUserPrincipal(Authentication.class).map(Authentication::getAttributes);
    if (isForOperators) {
      if (!claims.map(all -> TokenAudience.isOperator(all::get, configuration)).orElse(false)) {
        throw new ProblemException(ProblemCode.NOT_FOUND);
      }
    } else if (claims.map(all -> TokenAudience.of(all::get, configuration)).orElse(MEMBER)
        == OPERATOR) {
      throw new ProblemException(
          ProblemCode.UNAUTHENTICATED,
          "The token is for operators only, and this route needs that of a member");
    }
  }
}
