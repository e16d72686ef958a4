package social.feed.api.problem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an error means for the caller.
 *
 * @param detail what is wrong this time, or what the code always means; nothing of the server's
 *     inside
 * @param retryAfter for the header, where waiting helps
 */
record Diagnosis(
    ProblemCode code, String detail, List<FieldError> errors, @Nullable Duration retryAfter) {

  static Diagnosis of(ProblemCode code) {
    return of(code, code.cause());
  }

  static Diagnosis of(ProblemCode code, String detail) {
    return new Diagnosis(code, detail, List.of(), null);
  }

  static Diagnosis invalid(List<FieldError> errors) {
    return new Diagnosis(
        ProblemCode.INVALID_REQUEST,
        errors.isEmpty()
            ? ProblemCode.INVALID_REQUEST.cause()
            : errors.getFirst().field() + " " + errors.getFirst().message(),
        errors,
        null);
  }

  static Diagnosis invalid(String field, String message) {
    return invalid(List.of(new FieldError(field, message)));
  }

  static Diagnosis busy() {
    return new Diagnosis(
        ProblemCode.TABLE_BUSY, ProblemCode.TABLE_BUSY.cause(), List.of(), Duration.ofSeconds(1));
  }
}
