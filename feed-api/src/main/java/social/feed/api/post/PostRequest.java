package social.feed.api.post;

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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ContentRule;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;
import social.feed.table.post.PostText;

/**
 * A new post.
 *
 * @param text 1 to 500 characters; it contains at most 10 {@code #tags} and 10 {@code @handles}
 * @param visibility public by default
 * @param mediaRef reference to media stored elsewhere, 1 to 512 characters
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record PostRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            minLength = 1,
            maxLength = 500,
            pattern = TextRule.LINES)
        @Text(TextRule.POST)
        @PostRequest.FewReferences
        String text,
    @Nullable PostVisibility visibility,
    @Nullable
        @Schema(minLength = 1, maxLength = 512, pattern = TextRule.LINE)
        @Text(TextRule.MEDIA_REF)
        String mediaRef) {
  private static final int TAGS_MAX = 10;
  private static final int MENTIONS_MAX = 10;

  /** Requires that a text names few tags and few accounts. */
  @ContentRule
  @Constraint(validatedBy = {})
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.FIELD, ElementType.PARAMETER})
  public @interface FewReferences {
    /** The check writes the messages. */
    String message() default "";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
  }

  @Singleton
  static final class Check implements ConstraintValidator<FewReferences, String> {

    @Override
    public boolean isValid(
        @Nullable String text,
        AnnotationValue<FewReferences> annotation,
        ConstraintValidatorContext context) {
      // Parsing needs a text of bounded length; another rule refuses other texts.
      if (text == null || TextRule.POST.broken(text).isPresent()) {
        return true;
      }
      List<String> errors = new ArrayList<>();
      if (PostText.tags(text).size() > TAGS_MAX) {
        errors.add("names more than " + TAGS_MAX + " tags");
      }
      if (PostText.handles(text).size() > MENTIONS_MAX) {
        errors.add("names more than " + MENTIONS_MAX + " accounts");
      }
      errors.forEach(
          error -> {
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate(error).addConstraintViolation();
          });
      return errors.isEmpty();
    }
  }
}
