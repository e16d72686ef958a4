package social.feed.api.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.problem.FieldError;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;

/** Collects what is wrong with a request's content, so that the caller learns all of it at once. */
public final class Findings {
  private final List<FieldError> errors = new ArrayList<>();

  /** Checks a value, unless it is absent. */
  public Findings check(String field, TextRule rule, @Nullable String value) {
    if (value != null) {
      rule.broken(value).ifPresent(message -> errors.add(new FieldError(field, message)));
    }
    return this;
  }

  /** Checks the form of a handle. */
  public Findings checkHandle(String field, String handle) {
    if (!TextRule.isHandle(handle)) {
      errors.add(new FieldError(field, "must match " + TextRule.HANDLE));
    }
    return this;
  }

  /** Checks how many there are of something. */
  public Findings atMost(String field, int maximum, int count, String what) {
    if (count > maximum) {
      errors.add(new FieldError(field, "names more than " + maximum + " " + what));
    }
    return this;
  }

  /**
   * @throws ProblemException {@code invalid_content}, when something is wrong
   */
  public void refuseIfAny() {
    if (!errors.isEmpty()) {
      FieldError first = errors.getFirst();
      throw new ProblemException(
          ProblemCode.INVALID_CONTENT, first.field() + " " + first.message(), errors);
    }
  }
}
