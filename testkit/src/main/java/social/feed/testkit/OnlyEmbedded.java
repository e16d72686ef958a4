package social.feed.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test, or a class of them, that only the engine in this JVM can serve. Elsewhere it is reported
 * as left out, for this reason.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnlyEmbedded.Rule.class)
public @interface OnlyEmbedded {
  Reason value();

  /** What the others lack. */
  enum Reason {
    /** It makes a table a test and changes it, which takes a service a minute each. */
    MANY_TABLES,
    /** It tries a race hundreds of times, or a list of thousands, which takes others minutes. */
    THOUSANDS_OF_CALLS
  }

  /** Leaves out what is marked where another engine was chosen. */
  final class Rule implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      var chosen = EngineChoice.made();
      if (chosen == EngineChoice.EMBEDDED) {
        return ConditionEvaluationResult.enabled("The engine is in this JVM");
      }
      return AnnotationSupport.findAnnotation(context.getElement(), OnlyEmbedded.class)
          .map(
              mark ->
                  ConditionEvaluationResult.disabled("Left out on " + chosen + ": " + mark.value()))
          .orElseGet(() -> ConditionEvaluationResult.enabled("Marked above"));
    }
  }
}
