package social.feed.api.edge.problem;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A refusal: the only form in which a request is refused between the outcome of a store and the
 * {@link Problem} in the response. It is a response and not a defect, so it has no stack trace.
 */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemCode code;
  private final String detail;
  private final transient List<FieldError> errors;
  private final @Nullable Duration retryAfter;

  /** A refusal that has no detail beyond the cause of its code. */
  public ProblemException(ProblemCode code) {
    this(code, code.cause());
  }

  /**
   * @param detail what went wrong this time; sent to the caller
   */
  public ProblemException(ProblemCode code, String detail) {
    this(code, detail, List.of(), null);
  }

  /**
   * @param errors the wrong fields or variables
   */
  public ProblemException(ProblemCode code, String detail, List<FieldError> errors) {
    this(code, detail, errors, null);
  }

  /**
   * @param retryAfter when the same request may succeed; sent in whole seconds, rounded up
   */
  public ProblemException(ProblemCode code, String detail, Duration retryAfter) {
    this(code, detail, List.of(), retryAfter);
  }

  private ProblemException(
      ProblemCode code, String detail, List<FieldError> errors, @Nullable Duration retryAfter) {
    super(detail, null, false, false);
    this.code = code;
    this.detail = detail;
    this.errors = List.copyOf(errors);
    this.retryAfter = retryAfter;
  }

  /** Returns the refusal of a malformed request with one wrong field or variable. */
  public static ProblemException invalid(String field, String message) {
    return invalid(new FieldError(field, message));
  }

  /** Returns the refusal of a well-formed request whose content breaks a rule. */
  public static ProblemException invalidContent(String field, String message) {
    return of(ProblemCode.INVALID_CONTENT, List.of(new FieldError(field, message)));
  }

  static ProblemException invalid(FieldError error) {
    return invalid(List.of(error));
  }

  /** Returns the refusal of a malformed request. The detail is the first error. */
  public static ProblemException invalid(List<FieldError> errors) {
    return of(ProblemCode.INVALID_REQUEST, errors);
  }

  /** Returns the refusal of a body that is not JSON. */
  public static ProblemException invalidJson(String message) {
    return of(ProblemCode.INVALID_JSON, List.of(new FieldError("body", message)));
  }

  /** Returns a refusal of wrong fields or variables. The detail is the first error. */
  static ProblemException of(ProblemCode code, List<FieldError> errors) {
    String detail =
        errors.isEmpty()
            ? code.cause()
            : errors.getFirst().field() + " " + errors.getFirst().message();
    return new ProblemException(code, detail, errors);
  }

  public ProblemCode code() {
    return code;
  }

  String detail() {
    return detail;
  }

  List<FieldError> errors() {
    return errors;
  }

  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
