package social.feed.api.edge.problem;

import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.http.annotation.Body;
import io.micronaut.serde.exceptions.SerdeException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import social.feed.api.edge.json.EnumNames;

/** Names the wrong field or variable of a malformed request, and says what is wrong with it. */
final class FieldErrors {
  /** The decoder reports a missing field only in its message; a test pins the text. */
  private static final Pattern MISSING =
      Pattern.compile("(?:Null argument specified for|Required \\S+ \\S+) \\[(?:\\S+ )?(\\w+)]");

  private FieldErrors() {}

  /** Returns the error in a body that is JSON of another shape. */
  static FieldError of(SerdeException e) {
    String message = String.valueOf(e.getMessage());
    if (!e.getPath().isEmpty()) {
      return ofField(e.getPath().getFirst().getArgument(), message);
    }
    Matcher missing = MISSING.matcher(message);
    return missing.find()
        ? new FieldError(inJson(missing.group(1)), "is required")
        : new FieldError("body", "does not have the documented shape");
  }

  private static FieldError ofField(Argument<?> field, String message) {
    String name = field.getName();
    if (message.startsWith("Unknown property")) {
      return new FieldError(name, "is not known");
    }
    return new FieldError(
        inJson(name),
        message.startsWith("Duplicate property") ? "is given twice" : expectation(field));
  }

  /**
   * Returns what is wrong with the variables and the body of a request, sorted by name.
   *
   * @param aboutContent whether the errors about content are asked for, or those of form
   */
  static List<FieldError> of(
      Collection<? extends ConstraintViolation<?>> violations, boolean aboutContent) {
    return violations.stream()
        .filter(violation -> isAboutContent(violation) == aboutContent)
        .map(violation -> new FieldError(name(violation), violation.getMessage()))
        .sorted(Comparator.comparing(FieldError::field).thenComparing(FieldError::message))
        .toList();
  }

  private static boolean isAboutContent(ConstraintViolation<?> violation) {
    return violation
        .getConstraintDescriptor()
        .getAnnotation()
        .annotationType()
        .isAnnotationPresent(ContentRule.class);
  }

  private static String name(ConstraintViolation<?> violation) {
    String last = "request";
    for (Path.Node node : violation.getPropertyPath()) {
      if (node.getName() != null) {
        last = node.getName();
      }
    }
    return inJson(last);
  }

  /** Returns the error of an argument that is absent. */
  static FieldError missing(Argument<?> argument) {
    return new FieldError(name(argument), "is required");
  }

  /** Returns the error of an argument whose text does not have the argument's type. */
  static FieldError mistyped(Argument<?> argument) {
    return new FieldError(name(argument), expectation(argument));
  }

  private static String name(Argument<?> argument) {
    if (argument.isAnnotationPresent(Body.class)) {
      return "body";
    }
    return argument
        .getAnnotationMetadata()
        .stringValue(Bindable.class)
        .filter(name -> !name.isEmpty())
        .orElseGet(() -> inJson(argument.getName()));
  }

  private static String inJson(String javaName) {
    return NameUtils.underscoreSeparate(javaName).toLowerCase(Locale.ROOT);
  }

  /** Returns the values that an argument can have, in words that follow its name. */
  private static String expectation(Argument<?> argument) {
    Class<?> type = argument.getType();
    if (type.isEnum()) {
      return "must be one of " + String.join(", ", EnumNames.of(type).keySet());
    }
    if (type == Instant.class) {
      return "must be a time such as 2026-11-20T09:15:00Z";
    }
    if (type == String.class) {
      return "must be text";
    }
    if (type == int.class || type == Integer.class || type == long.class) {
      return "must be a whole number";
    }
    return List.class.isAssignableFrom(type) ? "must be a list" : "has the wrong type";
  }
}
