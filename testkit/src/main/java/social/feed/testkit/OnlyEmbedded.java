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
 * Marks a test, or a test class, that needs the embedded engine. On other engines the test is
 * reported as disabled, with the reason.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(OnlyEmbedded.Rule.class)
public @interface OnlyEmbedded {
  Reason value();

  /** The reason why other engines are unsuitable. */
  enum Reason {
    /** The test creates and changes tables, which takes the service a minute each. */
    MANY_TABLES,
    /**
     * The test repeats a race hundreds of times, or reads a list of thousands, which takes other
     * engines minutes.
     */
    THOUSANDS_OF_CALLS,
    /** Concurrent calls wait for each other, on slow engines for longer than the API lets them. */
    CALLS_IN_TURN,
    /** The test has an embedded engine of its own in any case. */
    OWN_ENGINE
  }

  /** Disables marked tests on other engines. */
  final class Rule implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      var chosen = EngineChoice.selected();
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
