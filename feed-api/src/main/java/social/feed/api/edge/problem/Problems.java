package social.feed.api.edge.problem;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import io.micronaut.http.server.netty.NettyHttpRequest;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.api.edge.json.WireHeaders;

/**
 * Makes the answer to everything that goes wrong. All of the framework's own handlers end here, and
 * {@link UnexpectedFailures} brings the rest.
 */
@Singleton
final class Problems implements ErrorResponseProcessor<Problem> {
  static final String MEDIA_TYPE = "application/problem+json";
  private static final MediaType TYPE = MediaType.of(MEDIA_TYPE);
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private final ExceptionMapper diagnostician;
  private final Supplier<UUID> occurrences;

  Problems(ExceptionMapper diagnostician, Supplier<UUID> occurrences) {
    this.diagnostician = diagnostician;
    this.occurrences = occurrences;
  }

  @Override
  public MutableHttpResponse<Problem> processResponse(
      ErrorContext context, MutableHttpResponse<?> response) {
    HttpStatus status = HttpStatus.valueOf(response.code());
    MappedProblem diagnosis =
        context
            .getRootCause()
            .or(() -> unparsable(context.getRequest()))
            .map(cause -> diagnostician.diagnose(cause, status))
            .orElseGet(() -> diagnostician.byStatus(status));
    String instance = "urn:uuid:" + occurrences.get();
    log(context, diagnosis.code(), instance);
    return answer(context.getRequest(), response, diagnosis, instance);
  }

  /** Why what came is no request; the server says only that it is none. */
  private static Optional<Throwable> unparsable(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? Optional.ofNullable(netty.getNativeRequest().decoderResult().cause())
        : Optional.empty();
  }

  private static MutableHttpResponse<Problem> answer(
      HttpRequest<?> request,
      MutableHttpResponse<?> response,
      MappedProblem diagnosis,
      String instance) {
    ProblemCode code = diagnosis.code();
    MutableHttpResponse<?> answer = response.status(code.status());
    if (code == ProblemCode.UNAUTHENTICATED) {
      answer.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    if (diagnosis.retryAfter() != null) {
      answer.getHeaders().set(HttpHeaders.RETRY_AFTER, seconds(diagnosis.retryAfter()));
    }
    // Also here, since what cannot be parsed as a request passes no filter.
    WireHeaders.addTo(answer.contentType(TYPE));
    // A body to HEAD would be taken for the next answer on the connection.
    return request.getMethod() == HttpMethod.HEAD
        ? answer.body((Problem) null)
        : answer.body(problem(diagnosis, instance));
  }

  private static Problem problem(MappedProblem diagnosis, String instance) {
    ProblemCode code = diagnosis.code();
    List<FieldError> errors = diagnosis.errors();
    return new Problem(
        code.type(),
        code.title(),
        code.status().getCode(),
        code.code(),
        diagnosis.detail(),
        instance,
        errors.isEmpty() ? null : errors);
  }

  private static String seconds(Duration wait) {
    return Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()));
  }

  /** Each 5xx is in the log, under the instance that its client was told. */
  private static void log(ErrorContext context, ProblemCode code, String instance) {
    HttpRequest<?> request = context.getRequest();
    Throwable cause = context.getRootCause().orElse(null);
    if (code == ProblemCode.INTERNAL_ERROR) {
      LOG.error("{} {} {}", instance, request.getMethod(), request.getPath(), cause);
    } else if (code.status().getCode() >= HttpStatus.INTERNAL_SERVER_ERROR.getCode()) {
      LOG.warn(
          "{} {} {} {}: {}",
          instance,
          request.getMethod(),
          request.getPath(),
          code.code(),
          String.valueOf(cause));
    }
  }
}
