package social.feed.api.edge.text;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.FieldError;
import social.feed.api.edge.problem.ProblemCode;
import social.feed.api.edge.problem.ProblemException;

/** Collects the errors in the content of a request, so that one response lists all of them. */
public final class ValidationErrors {
  private static final Duration TEN_YEARS = Duration.ofDays(3_652);

  private final List<FieldError> errors = new ArrayList<>();

  /** Checks a text, unless it is absent. */
  public ValidationErrors check(String field, TextRule rule, @Nullable String value) {
    if (value != null) {
      rule.broken(value).ifPresent(message -> errors.add(new FieldError(field, message)));
    }
    return this;
  }

  /** Checks the form of a handle. */
  public ValidationErrors checkHandle(String field, String handle) {
    if (!TextRule.isHandle(handle)) {
      errors.add(new FieldError(field, "must match " + TextRule.HANDLE));
    }
    return this;
  }

  /** Checks the number of tags or accounts in a text. */
  public ValidationErrors atMost(String field, int maximum, int count, String what) {
    if (count > maximum) {
      errors.add(new FieldError(field, "names more than " + maximum + " " + what));
    }
    return this;
  }

  /** Checks that a time is in the future and within ten years, unless it is absent. */
  public ValidationErrors checkFuture(String field, Instant now, @Nullable Instant time) {
    if (time != null && !time.isAfter(now)) {
      errors.add(new FieldError(field, "is not in the future"));
    }
    if (time != null && time.isAfter(now.plus(TEN_YEARS))) {
      errors.add(new FieldError(field, "is more than ten years away"));
    }
    return this;
  }

  /**
   * @throws ProblemException {@code invalid_content}, if there is an error
   */
  public void refuseIfAny() {
    if (!errors.isEmpty()) {
      FieldError first = errors.getFirst();
      throw new ProblemException(
          ProblemCode.INVALID_CONTENT, first.field() + " " + first.message(), errors);
    }
  }
}
