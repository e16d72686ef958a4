package social.feed.api.edge.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/**
 * Takes what no handler of the framework takes, so that {@link Problems} sees it and the framework
 * logs nothing twice.
 */
@Singleton
final class UnexpectedFailures implements ExceptionHandler<Throwable, HttpResponse<?>> {
  private final ErrorResponseProcessor<?> problems;

  UnexpectedFailures(ErrorResponseProcessor<?> problems) {
    this.problems = problems;
  }

  @Override
  @SuppressWarnings("rawtypes") // the interface's own signature
  public HttpResponse<?> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> typed = request;
    return problems.processResponse(
        ErrorContext.builder(typed).cause(failure).build(), HttpResponse.serverError());
  }
}
