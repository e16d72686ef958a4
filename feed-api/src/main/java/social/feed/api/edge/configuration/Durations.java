package social.feed.api.edge.configuration;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import jakarta.inject.Singleton;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The constraints of numbers for durations. */
final class Durations {
  private Durations() {}

  @Singleton
  static final class IsPositive implements ConstraintValidator<Positive, Duration> {

    @Override
    public boolean isValid(
        @Nullable Duration duration,
        AnnotationValue<Positive> annotation,
        ConstraintValidatorContext context) {
      return duration == null || duration.isPositive();
    }
  }

  @Singleton
  static final class IsPositiveOrZero implements ConstraintValidator<PositiveOrZero, Duration> {

    @Override
    public boolean isValid(
        @Nullable Duration duration,
        AnnotationValue<PositiveOrZero> annotation,
        ConstraintValidatorContext context) {
      return duration == null || !duration.isNegative();
    }
  }
}
