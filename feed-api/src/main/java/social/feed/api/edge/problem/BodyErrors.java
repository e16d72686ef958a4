package social.feed.api.edge.problem;

import io.micronaut.core.type.Argument;
import io.micronaut.serde.exceptions.SerdeException;
import io.micronaut.serde.exceptions.path.ReferencePath;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what is wrong with a body that is JSON but does not fit. Some of it the decoder says only
 * in its messages, so these are pinned by a test.
 */
final class BodyErrors {
  private static final Pattern MISSING =
      Pattern.compile("(?:Null argument specified for|Required \\S+ \\S+) \\[(?:\\S+ )?(\\w+)]");

  private BodyErrors() {}

  static MappedProblem diagnose(SerdeException e) {
    String message = String.valueOf(e.getMessage());
    if (!e.getPath().isEmpty()) {
      ReferencePath innermost = e.getPath().getFirst();
      return wrong(innermost.getArgument(), message);
    }
    Matcher missing = MISSING.matcher(message);
    return missing.find()
        ? MappedProblem.invalid(JsonNames.of(missing.group(1)), "is required")
        : MappedProblem.invalid("body", "does not have the documented shape");
  }

  private static MappedProblem wrong(Argument<?> argument, String message) {
    String name = argument.getName();
    if (message.startsWith("Unknown property")) {
      return MappedProblem.invalid(name, "is not known");
    }
    return MappedProblem.invalid(
        JsonNames.of(name),
        message.startsWith("Duplicate property")
            ? "is given twice"
            : TypeMismatches.message(argument));
  }
}
