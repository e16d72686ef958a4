package social.feed.api.edge.problem;

import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.codec.CodecException;
import io.micronaut.http.exceptions.BufferLengthExceededException;
import io.micronaut.http.exceptions.ContentLengthExceededException;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.exceptions.UriSyntaxException;
import io.micronaut.json.JsonSyntaxException;
import io.micronaut.security.authentication.AuthenticationException;
import io.micronaut.security.authentication.AuthorizationException;
import io.micronaut.serde.exceptions.SerdeException;
import io.micronaut.web.router.exceptions.UnsatisfiedRouteException;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import java.io.EOFException;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;

/**
 * Tells from an error what to answer. The only place that knows the exceptions of the libraries.
 */
@Singleton
final class ExceptionMapper {

  /**
   * @param status what the server would have answered by itself
   */
  MappedProblem diagnose(Throwable cause, HttpStatus status) {
    return switch (cause) {
      case ProblemException p ->
          new MappedProblem(p.code(), p.detail(), p.errors(), p.retryAfter().orElse(null));
      case AuthorizationException _, AuthenticationException _ ->
          MappedProblem.of(ProblemCode.UNAUTHENTICATED);
      case ContentLengthExceededException _, BufferLengthExceededException _ ->
          MappedProblem.of(ProblemCode.TOO_LARGE);
      case TooLongHttpLineException _ -> MappedProblem.of(ProblemCode.ADDRESS_TOO_LONG);
      case TooLongHttpHeaderException _ -> MappedProblem.of(ProblemCode.HEADERS_TOO_LARGE);
      case ConstraintViolationException e -> MappedProblem.invalid(ConstraintViolations.errors(e));
      case JsonSyntaxException _ -> MappedProblem.of(ProblemCode.INVALID_JSON);
      case SerdeException e -> BodyErrors.diagnose(e);
      case UnsatisfiedRouteException e -> missing(e.getArgument());
      case ConversionErrorException e -> conversion(e);
      case CodecException e -> codec(e, status);
      case URISyntaxException _, UriSyntaxException _ ->
          MappedProblem.of(ProblemCode.INVALID_REQUEST, "The address cannot be parsed");
      case HttpStatusException e -> byStatus(e.getStatus());
      // Nobody is there to be told, and it is no defect of ours.
      case EOFException _, SocketException _, ClosedChannelException _ ->
          MappedProblem.of(ProblemCode.INVALID_REQUEST, "The connection ended before the body did");
      default -> unexpected(cause, status);
    };
  }

  /** For what the server answers without an exception, e.g. an unknown route. */
  MappedProblem byStatus(HttpStatus status) {
    return MappedProblem.of(
        ProblemCode.of(status)
            .orElse(
                status.getCode() < 500 ? ProblemCode.INVALID_REQUEST : ProblemCode.INTERNAL_ERROR));
  }

  private MappedProblem codec(CodecException e, HttpStatus status) {
    Throwable inner = e.getCause();
    return inner == null || inner == e
        ? MappedProblem.of(ProblemCode.INVALID_REQUEST, "The body cannot be read")
        : diagnose(inner, status);
  }

  private MappedProblem conversion(ConversionErrorException e) {
    return switch (e.getCause()) {
      case JsonSyntaxException _ -> MappedProblem.of(ProblemCode.INVALID_JSON);
      case SerdeException inner -> BodyErrors.diagnose(inner);
      case ProblemException inner -> diagnose(inner, inner.code().status());
      case CodecException inner -> codec(inner, HttpStatus.BAD_REQUEST);
      case InvalidValueException wrong ->
          MappedProblem.invalid(nameOf(e.getArgument()), wrong.expectation());
      case null, default ->
          MappedProblem.invalid(nameOf(e.getArgument()), TypeMismatches.message(e.getArgument()));
    };
  }

  private static MappedProblem missing(Argument<?> argument) {
    return MappedProblem.invalid(nameOf(argument), "is required");
  }

  private static String nameOf(Argument<?> argument) {
    if (argument.isAnnotationPresent(Body.class)) {
      return "body";
    }
    return JsonNames.of(argument);
  }

  private MappedProblem unexpected(Throwable cause, HttpStatus status) {
    if (TableFailures.isTransient(cause)) {
      return MappedProblem.busy();
    }
    return status.getCode() >= 500
        ? MappedProblem.of(ProblemCode.INTERNAL_ERROR)
        : byStatus(status);
  }
}
