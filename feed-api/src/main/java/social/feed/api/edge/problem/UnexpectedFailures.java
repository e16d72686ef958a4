package social.feed.api.edge.problem;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/**
 * Handles the exceptions that no handler of the framework handles. They reach {@link Problems} too,
 * and the framework does not log them a second time.
 */
@Singleton
final class UnexpectedFailures implements ExceptionHandler<Throwable, HttpResponse<?>> {
  private final ErrorResponseProcessor<?> problems;

  UnexpectedFailures(ErrorResponseProcessor<?> problems) {
    this.problems = problems;
  }

  @Override
  @SuppressWarnings("rawtypes") // the interface has this signature
  public HttpResponse<?> handle(HttpRequest request, Throwable failure) {
    HttpRequest<?> typed = request;
    return problems.processResponse(
        ErrorContext.builder(typed).cause(failure).build(), HttpResponse.serverError());
  }
}
