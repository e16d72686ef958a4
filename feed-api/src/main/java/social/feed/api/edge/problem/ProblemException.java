package social.feed.api.edge.problem;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be served as the caller wishes. Carries what the answer says; it is no
 * defect.
 */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemCode code;
  private final String detail;
  private final transient List<FieldError> errors;
  private final @Nullable Duration retryAfter;

  /**
   * @param detail what went wrong this time, for the caller's eyes
   */
  public ProblemException(ProblemCode code, String detail) {
    this(code, detail, List.of(), null);
  }

  /**
   * @param errors the fields or variables that are wrong
   */
  public ProblemException(ProblemCode code, String detail, List<FieldError> errors) {
    this(code, detail, errors, null);
  }

  /**
   * @param retryAfter when the same request may succeed; answered in whole seconds, rounded up
   */
  public ProblemException(ProblemCode code, String detail, Duration retryAfter) {
    this(code, detail, List.of(), retryAfter);
  }

  private ProblemException(
      ProblemCode code, String detail, List<FieldError> errors, @Nullable Duration retryAfter) {
    // Without a stack trace: it is an answer, and costs what an answer may cost.
    super(detail, null, false, false);
    this.code = code;
    this.detail = detail;
    this.errors = List.copyOf(errors);
    this.retryAfter = retryAfter;
  }

  /** One wrong field or variable of a malformed request. */
  public static ProblemException invalid(String field, String message) {
    return new ProblemException(
        ProblemCode.INVALID_REQUEST,
        field + " " + message,
        List.of(new FieldError(field, message)));
  }

  ProblemCode code() {
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
