package social.feed.api.edge.problem;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import social.feed.api.edge.json.WireHeaders;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.log.RequestIds;

/**
 * Writes the response to every error. All handlers of the framework end here; {@link
 * UnexpectedFailures} passes on what none of them handles.
 */
@Singleton
final class Problems implements ErrorResponseProcessor<Problem> {
  private static final MediaType TYPE = MediaType.of("application/problem+json");
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private final ExceptionMapper mapper;
  private final RequestErrors requestErrors;
  private final Supplier<UUID> ids;
  private final List<ServerFailures> servers;
  private final RequestIds requestIds;

  Problems(
      ExceptionMapper mapper,
      RequestErrors requestErrors,
      Supplier<UUID> ids,
      List<ServerFailures> servers,
      RequestIds requestIds) {
    this.mapper = mapper;
    this.requestErrors = requestErrors;
    this.ids = ids;
    this.servers = servers;
    this.requestIds = requestIds;
  }

  @Override
  public MutableHttpResponse<Problem> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    HttpStatus status = HttpStatus.valueOf(response.code());
    ProblemException refusal =
        context
            .getRootCause()
            .or(() -> parseFailure(context.getRequest()))
            .map(cause -> requestErrors.complete(context.getRequest(), mapper.map(cause, status)))
            .orElseGet(() -> mapper.of(status));
    String instance = "urn:uuid:" + ids.get();
    log(context, refusal.code(), instance);
    return answer(context.getRequest(), response, refusal, instance);
  }

  private Optional<Throwable> parseFailure(HttpRequest<?> request) {
    return servers.stream().flatMap(server -> server.parseFailure(request).stream()).findFirst();
  }

  private MutableHttpResponse<Problem> answer(
      HttpRequest<?> request,
      MutableHttpResponse<?> response,
      ProblemException refusal,
      String instance) {
    ProblemCode code = refusal.code();
    MutableHttpResponse<?> answer = response.status(code.status());
    if (code == ProblemCode.UNAUTHENTICATED) {
      answer.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    refusal
        .retryAfter()
        .ifPresent(wait -> answer.getHeaders().set(HttpHeaders.RETRY_AFTER, seconds(wait)));
    // A request that cannot be parsed passes no filter, so the headers are added here too.
    WireHeaders.addTo(answer.contentType(TYPE));
    requestIds.addTo(request, answer);
    // A client would read a body of HEAD as the next response on the connection.
    return request.getMethod() == HttpMethod.HEAD
        ? answer.body((Problem) null)
        : answer.body(problem(refusal, instance));
  }

  private static Problem problem(ProblemException refusal, String instance) {
    ProblemCode code = refusal.code();
    List<FieldError> errors = refusal.errors();
    return new Problem(
        code.type(),
        code.title(),
        code.status().getCode(),
        code.code(),
        refusal.detail(),
        instance,
        errors.isEmpty() ? null : errors);
  }

  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
  }

  /**
   * Logs each 5xx under the instance that the client received, with the route: the path may name
   * members.
   */
  private void log(ErrorContext context, ProblemCode code, String instance) {
    HttpRequest<?> request = context.getRequest();
    Throwable cause = context.getRootCause().orElse(null);
    if (code.status().getCode() < HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
      return;
    }
    boolean isDefect = code == ProblemCode.INTERNAL_ERROR;
    LoggingEventBuilder line =
        (isDefect ? LOG.atError().setCause(cause) : LOG.atWarn())
            .addKeyValue("request", requestIds.of(request))
            .addKeyValue("instance", instance)
            .addKeyValue("code", code.code());
    String route = RequestFields.route(request);
    if (isDefect) {
      line.log("{} {}", instance, route);
    } else {
      line.log("{} {} {}: {}", instance, route, code.code(), String.valueOf(cause));
    }
  }
}
