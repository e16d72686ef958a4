package social.feed.api.edge.problem;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import java.util.Comparator;
import java.util.List;

/** Reads the constraints that path and query variables broke. */
final class ConstraintViolations {
  private ConstraintViolations() {}

  static List<FieldError> errors(ConstraintViolationException e) {
    return e.getConstraintViolations().stream()
        .map(v -> new FieldError(field(v), v.getMessage()))
        .sorted(Comparator.comparing(FieldError::field).thenComparing(FieldError::message))
        .toList();
  }

  private static String field(ConstraintViolation<?> violation) {
    String last = "request";
    for (Path.Node node : violation.getPropertyPath()) {
      if (node.getName() != null) {
        last = node.getName();
      }
    }
    return JsonNames.of(last);
  }
}
