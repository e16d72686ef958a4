package social.feed.api.graph;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ContentRule;

/**
 * The duration of a mute.
 *
 * @param until when the mute ends, in the future and within ten years; absent for a mute without an
 *     end
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record MuteRequest(@Nullable @MuteRequest.End Instant until) {
  private static final int MAX_YEARS = 10;

  /** Requires a time in the future and within ten years, unless it is absent. */
  @ContentRule
  @Constraint(validatedBy = {})
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.FIELD, ElementType.PARAMETER})
  public @interface End {
    String message() default "is not in the future";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
  }

  @Singleton
  static final class Check implements ConstraintValidator<End, Instant> {
    private final InstantSource clock;

    Check(InstantSource clock) {
      this.clock = clock;
    }

    @Override
    public boolean isValid(
        @Nullable Instant time,
        AnnotationValue<End> annotation,
        ConstraintValidatorContext context) {
      Instant now = clock.instant();
      Instant latest = now.atOffset(ZoneOffset.UTC).plusYears(MAX_YEARS).toInstant();
      if (time == null || (time.isAfter(now) && !time.isAfter(latest))) {
        return true;
      }
      if (time.isAfter(now)) {
        context.messageTemplate("is more than ten years away");
      }
      return false;
    }
  }
}
