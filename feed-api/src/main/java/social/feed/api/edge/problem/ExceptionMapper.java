package social.feed.api.edge.problem;

import io.micronaut.core.convert.ConversionError;
import io.micronaut.core.convert.exceptions.ConversionErrorException;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpStatus;
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
import jakarta.inject.Singleton;
import jakarta.validation.ConstraintViolationException;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Turns each exception into a {@link ProblemException}. The only class that names library
 * exceptions, but for those of a server ({@link ServerFailures}).
 */
@Singleton
final class ExceptionMapper {
  private final List<ServerFailures> servers;

  ExceptionMapper(List<ServerFailures> servers) {
    this.servers = servers;
  }

  /**
   * Returns the problem that the server answers an exception with.
   *
   * @param status the status that the framework would answer with
   */
  ProblemException map(Throwable cause, HttpStatus status) {
    return switch (cause) {
      case ProblemException problem -> problem;
      case AuthorizationException _, AuthenticationException _ ->
          new ProblemException(ProblemCode.UNAUTHENTICATED);
      case ContentLengthExceededException _, BufferLengthExceededException _ ->
          new ProblemException(ProblemCode.TOO_LARGE);
      case ConstraintViolationException e -> ofViolations(e);
      case JsonSyntaxException _ -> ProblemException.invalidJson("is not JSON");
      case SerdeException e -> ProblemException.invalid(FieldErrors.of(e));
      case UnsatisfiedRouteException e ->
          ProblemException.invalid(FieldErrors.missing(e.getArgument()));
      case ConversionErrorException e -> ofConversion(e);
      case CodecException e -> ofCodec(e, status);
      case URISyntaxException _, UriSyntaxException _ ->
          new ProblemException(ProblemCode.INVALID_REQUEST, "The address cannot be parsed");
      case HttpStatusException e -> of(e.getStatus());
      // The client is gone: it reads no response, and the server has no defect.
      case EOFException _, SocketException _, ClosedChannelException _ -> brokenOff();
      case UncheckedIOException e when isOfBody(e) -> brokenOff();
      default -> ofOther(cause, status);
    };
  }

  /** Other failures of connections, such as those to other processes, are defects. */
  private static boolean isOfBody(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(BrokenBodyException.class::isInstance);
  }

  private static ProblemException brokenOff() {
    return new ProblemException(
        ProblemCode.INVALID_REQUEST, "The connection ended before the body did");
  }

  /** Returns the problem of an argument that cannot be converted. */
  ProblemException map(Argument<?> argument, ConversionError error) {
    return ofConversion(new ConversionErrorException(argument, error));
  }

  /** Returns the problem of a status without an exception, e.g. of an unknown route. */
  ProblemException of(HttpStatus status) {
    return new ProblemException(
        ProblemCode.of(status)
            .orElse(
                status.getCode() < 500 ? ProblemCode.INVALID_REQUEST : ProblemCode.INTERNAL_ERROR));
  }

  /** Returns the refusal with all errors. One error of form makes the request malformed. */
  private static ProblemException ofViolations(ConstraintViolationException e) {
    List<FieldError> form = FieldErrors.of(e.getConstraintViolations(), false);
    List<FieldError> content = FieldErrors.of(e.getConstraintViolations(), true);
    return form.isEmpty()
        ? ProblemException.of(ProblemCode.INVALID_CONTENT, content)
        : ProblemException.invalid(Stream.concat(form.stream(), content.stream()).toList());
  }

  private ProblemException ofCodec(CodecException e, HttpStatus status) {
    Throwable inner = e.getCause();
    return inner == null || inner == e
        ? new ProblemException(ProblemCode.INVALID_REQUEST, "The body cannot be read")
        : map(inner, status);
  }

  private ProblemException ofConversion(ConversionErrorException e) {
    return switch (e.getCause()) {
      case JsonSyntaxException inner -> map(inner, HttpStatus.BAD_REQUEST);
      case SerdeException inner -> map(inner, HttpStatus.BAD_REQUEST);
      case ProblemException inner -> inner;
      case CodecException inner -> ofCodec(inner, HttpStatus.BAD_REQUEST);
      case null, default -> ProblemException.invalid(FieldErrors.mistyped(e.getArgument()));
    };
  }

  private ProblemException ofOther(Throwable cause, HttpStatus status) {
    for (ServerFailures server : servers) {
      Optional<ProblemCode> code = server.codeOf(cause);
      if (code.isPresent()) {
        return new ProblemException(code.get());
      }
    }
    if (TableFailures.isTransient(cause)) {
      return new ProblemException(
          ProblemCode.TABLE_BUSY, ProblemCode.TABLE_BUSY.cause(), Duration.ofSeconds(1));
    }
    return status.getCode() >= 500 ? new ProblemException(ProblemCode.INTERNAL_ERROR) : of(status);
  }
}
