package social.feed.api.edge.paging;

import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import social.feed.table.access.AccessPattern;

/**
 * The page of a list that a request names by its query variables {@code limit} and {@code cursor}.
 * A route takes it as an argument that is annotated with {@link PageOf}, which checks it.
 *
 * @param requestedLimit the most items, as it was sent; absent for the default
 * @param cursor of the page before; absent for the first page
 */
public record PageParameters(@Nullable String requestedLimit, @Nullable String cursor) {
  private static final String LIMIT = "limit";
  private static final String CURSOR = "cursor";

  /** The names of the query variables. */
  public static final Set<String> NAMES = Set.of(LIMIT, CURSOR);

  /** The limit of a request that names none. */
  public static final int LIMIT_DEFAULT = 20;

  /** The most items, from 1 to the largest page of the access pattern. */
  public int limit() {
    return requestedLimit == null ? LIMIT_DEFAULT : Integer.parseInt(requestedLimit);
  }

  /** Returns the most items of a page of a list. */
  public static int max(AnnotationValue<PageOf> list) {
    AccessPattern[] patterns =
        list.enumValues(AnnotationMetadata.VALUE_MEMBER, AccessPattern.class);
    return patterns.length == 0 ? list.intValue("max").orElseThrow() : patterns[0].maxPage();
  }

  /** Returns whether a list has pages. */
  public static boolean hasCursor(AnnotationValue<PageOf> list) {
    return list.booleanValue("hasCursor").orElse(true);
  }

  /** Returns the names of the query variables that an argument of a route takes. */
  public static Set<String> names(Argument<?> argument) {
    @Nullable AnnotationValue<PageOf> list =
        argument.getAnnotationMetadata().getAnnotation(PageOf.class);
    return list == null || hasCursor(list) ? NAMES : Set.of(LIMIT);
  }

  /** Binds the parameters as they were sent, so that all errors of a request are found together. */
  @Singleton
  static final class Binder implements TypedRequestArgumentBinder<PageParameters> {

    @Override
    public Argument<PageParameters> argumentType() {
      return Argument.of(PageParameters.class);
    }

    @Override
    public BindingResult<PageParameters> bind(
        ArgumentConversionContext<PageParameters> context, HttpRequest<?> request) {
      if (!context.getAnnotationMetadata().hasAnnotation(PageOf.class)) {
        throw new IllegalStateException("Add @PageOf to " + context.getArgument());
      }
      HttpParameters query = request.getParameters();
      PageParameters page = new PageParameters(query.get(LIMIT), query.get(CURSOR));
      return () -> Optional.of(page);
    }
  }

  @Singleton
  static final class Check implements ConstraintValidator<PageOf, PageParameters> {

    @Override
    public boolean isValid(
        @Nullable PageParameters page,
        AnnotationValue<PageOf> annotation,
        ConstraintValidatorContext context) {
      int max = max(annotation);
      Optional<String> error =
          Optional.ofNullable(page)
              .flatMap(present -> Optional.ofNullable(present.requestedLimit()))
              .flatMap(text -> wrong(text, max));
      error.ifPresent(
          message -> {
            context.disableDefaultConstraintViolation();
            context
                .buildConstraintViolationWithTemplate(message)
                .addPropertyNode(LIMIT)
                .addConstraintViolation();
          });
      return error.isEmpty();
    }

    private static Optional<String> wrong(String text, int max) {
      int limit;
      try {
        limit = Integer.parseInt(text);
      } catch (NumberFormatException e) {
        return Optional.of("must be a whole number");
      }
      if (limit < 1) {
        return Optional.of("must be greater than or equal to 1");
      }
      return limit > max ? Optional.of("must be less than or equal to " + max) : Optional.empty();
    }
  }
}
