package social.feed.api.problem;

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
final class Diagnostician {

  /**
   * @param status what the server would have answered by itself
   */
  Diagnosis diagnose(Throwable cause, HttpStatus status) {
    return switch (cause) {
      case ProblemException p ->
          new Diagnosis(p.code(), p.detail(), p.errors(), p.retryAfter().orElse(null));
      case AuthorizationException _, AuthenticationException _ ->
          Diagnosis.of(ProblemCode.UNAUTHENTICATED);
      case ContentLengthExceededException _, BufferLengthExceededException _ ->
          Diagnosis.of(ProblemCode.TOO_LARGE);
      case TooLongHttpLineException _ -> Diagnosis.of(ProblemCode.ADDRESS_TOO_LONG);
      case TooLongHttpHeaderException _ -> Diagnosis.of(ProblemCode.HEADERS_TOO_LARGE);
      case ConstraintViolationException e -> Diagnosis.invalid(Violations.errors(e));
      case JsonSyntaxException _ -> Diagnosis.of(ProblemCode.INVALID_JSON);
      case SerdeException e -> BodyErrors.diagnose(e);
      case UnsatisfiedRouteException e -> missing(e.getArgument());
      case ConversionErrorException e -> conversion(e);
      case CodecException e -> codec(e, status);
      case URISyntaxException _, UriSyntaxException _ ->
          Diagnosis.of(ProblemCode.INVALID_REQUEST, "The address cannot be parsed");
      case HttpStatusException e -> byStatus(e.getStatus());
      // Nobody is there to be told, and it is no defect of ours.
      case EOFException _, SocketException _, ClosedChannelException _ ->
          Diagnosis.of(ProblemCode.INVALID_REQUEST, "The connection ended before the body did");
      default -> unexpected(cause, status);
    };
  }

  /** For what the server answers without an exception, e.g. an unknown route. */
  Diagnosis byStatus(HttpStatus status) {
    return Diagnosis.of(
        ProblemCode.of(status)
            .orElse(
                status.getCode() < 500 ? ProblemCode.INVALID_REQUEST : ProblemCode.INTERNAL_ERROR));
  }

  private Diagnosis codec(CodecException e, HttpStatus status) {
    Throwable inner = e.getCause();
    return inner == null || inner == e
        ? Diagnosis.of(ProblemCode.INVALID_REQUEST, "The body cannot be read")
        : diagnose(inner, status);
  }

  private Diagnosis conversion(ConversionErrorException e) {
    return switch (e.getCause()) {
      case JsonSyntaxException _ -> Diagnosis.of(ProblemCode.INVALID_JSON);
      case SerdeException inner -> BodyErrors.diagnose(inner);
      case ProblemException inner -> diagnose(inner, inner.code().status());
      case CodecException inner -> codec(inner, HttpStatus.BAD_REQUEST);
      case WrongValue wrong -> Diagnosis.invalid(nameOf(e.getArgument()), wrong.expectation());
      case null, default ->
          Diagnosis.invalid(nameOf(e.getArgument()), WrongTypes.message(e.getArgument()));
    };
  }

  private static Diagnosis missing(Argument<?> argument) {
    return Diagnosis.invalid(nameOf(argument), "is required");
  }

  private static String nameOf(Argument<?> argument) {
    if (argument.isAnnotationPresent(Body.class)) {
      return "body";
    }
    return WireNames.of(argument);
  }

  private Diagnosis unexpected(Throwable cause, HttpStatus status) {
    if (TableFailures.isTransient(cause)) {
      return Diagnosis.busy();
    }
    return status.getCode() >= 500 ? Diagnosis.of(ProblemCode.INTERNAL_ERROR) : byStatus(status);
  }
}
