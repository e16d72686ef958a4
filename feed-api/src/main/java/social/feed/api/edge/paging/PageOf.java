package social.feed.api.edge.paging;

import io.swagger.v3.oas.annotations.Parameter;
import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import social.feed.table.access.AccessPattern;

/**
 * Names the access pattern of the list whose {@link PageParameters} a route takes, and requires a
 * limit that the pattern allows. The OpenAPI document describes the query variables from it.
 */
@Parameter(hidden = true)
@Constraint(validatedBy = {})
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface PageOf {
  /**
   * The pattern, which bounds the limit by its largest page. Absent for a list of another source.
   */
  AccessPattern[] value() default {};

  /** The most items of a page without a pattern. */
  int max() default 0;

  /** Whether the list has pages. Otherwise its first items are all of it, and no cursor exists. */
  boolean hasCursor() default true;

  /** The check writes the message. */
  String message() default "";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};
}
