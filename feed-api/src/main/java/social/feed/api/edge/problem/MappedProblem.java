package social.feed.api.edge.problem;

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
record MappedProblem(
    ProblemCode code, String detail, List<FieldError> errors, @Nullable Duration retryAfter) {

  static MappedProblem of(ProblemCode code) {
    return of(code, code.cause());
  }

  static MappedProblem of(ProblemCode code, String detail) {
    return new MappedProblem(code, detail, List.of(), null);
  }

  static MappedProblem invalid(List<FieldError> errors) {
    return new MappedProblem(
        ProblemCode.INVALID_REQUEST,
        errors.isEmpty()
            ? ProblemCode.INVALID_REQUEST.cause()
            : errors.getFirst().field() + " " + errors.getFirst().message(),
        errors,
        null);
  }

  static MappedProblem invalid(String field, String message) {
    return invalid(List.of(new FieldError(field, message)));
  }

  static MappedProblem busy() {
    return new MappedProblem(
        ProblemCode.TABLE_BUSY, ProblemCode.TABLE_BUSY.cause(), List.of(), Duration.ofSeconds(1));
  }
}
