package social.feed.api.edge.query;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import jakarta.inject.Singleton;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A query variable that is {@code true} or {@code false}. The framework's own conversion reads any
 * other text as false. A route takes it as an argument with {@link TrueOrFalse}, which refuses
 * another text together with the other errors of the request.
 *
 * @param text as it was sent
 */
public record Flag(String text) {

  /** Returns whether a variable is {@code true}; an absent one is not. */
  public static boolean isSet(@Nullable Flag flag) {
    return flag != null && flag.text.equals("true");
  }

  /** Requires one of the two texts, unless the variable is absent. */
  @Constraint(validatedBy = {})
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.PARAMETER)
  public @interface TrueOrFalse {
    String message() default "must be true or false";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
  }

  @Singleton
  static final class Check implements ConstraintValidator<TrueOrFalse, Flag> {

    @Override
    public boolean isValid(
        @Nullable Flag flag,
        AnnotationValue<TrueOrFalse> annotation,
        ConstraintValidatorContext context) {
      return flag == null || flag.text.equals("true") || flag.text.equals("false");
    }
  }

  @Singleton
  static final class Converter implements TypeConverter<CharSequence, Flag> {

    @Override
    public Optional<Flag> convert(
        CharSequence text, Class<Flag> target, ConversionContext context) {
      return Optional.of(new Flag(text.toString()));
    }
  }
}
