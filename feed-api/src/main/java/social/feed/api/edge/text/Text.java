package social.feed.api.edge.text;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ContentRule;

/** Requires that a text follows a {@link TextRule}, unless it is absent. */
@ContentRule
@Constraint(validatedBy = {})
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface Text {
  TextRule value();

  /** The rule writes the messages. */
  String message() default "";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** Applies the rule. */
  @Singleton
  final class Check implements ConstraintValidator<Text, String> {

    @Override
    public boolean isValid(
        @Nullable String text,
        AnnotationValue<Text> annotation,
        ConstraintValidatorContext context) {
      List<String> errors =
          text == null ? List.of() : annotation.getRequiredValue(TextRule.class).errors(text);
      for (String error : errors) {
        context.disableDefaultConstraintViolation();
        context.buildConstraintViolationWithTemplate(error).addConstraintViolation();
      }
      return errors.isEmpty();
    }
  }
}
