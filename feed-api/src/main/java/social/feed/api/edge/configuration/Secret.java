package social.feed.api.edge.configuration;

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
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Requires that a key has at least 32 bytes (RFC 7518 section 3.2), unless it is absent. */
@Constraint(validatedBy = {})
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface Secret {
  String message() default "needs at least 32 bytes";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};

  /** Counts the bytes in UTF-8. */
  @Singleton
  final class Check implements ConstraintValidator<Secret, String> {
    private static final int BYTES_MIN = 32;

    @Override
    public boolean isValid(
        @Nullable String secret,
        AnnotationValue<Secret> annotation,
        ConstraintValidatorContext context) {
      return secret == null || secret.getBytes(StandardCharsets.UTF_8).length >= BYTES_MIN;
    }
  }
}
