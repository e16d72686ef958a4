package social.feed.api.edge.paging;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpParameters;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.problem.ProblemException;
import social.feed.table.access.AccessPattern;

/**
 * The page of a list that a request names by its query variables {@code limit} and {@code cursor}.
 * A route takes it as an argument that is annotated with {@link PageOf}.
 *
 * @param limit the most items, from 1 to the largest page of the access pattern
 * @param cursor of the page before; absent for the first page
 */
public record PageParameters(int limit, @Nullable String cursor) {
  /** The limit of a request that names none. */
  public static final int LIMIT_DEFAULT = 20;

  /** Binds the parameters; what is wrong with them is {@code invalid_request}. */
  @Singleton
  static final class Binder implements TypedRequestArgumentBinder<PageParameters> {

    @Override
    public Argument<PageParameters> argumentType() {
      return Argument.of(PageParameters.class);
    }

    @Override
    public BindingResult<PageParameters> bind(
        ArgumentConversionContext<PageParameters> context, HttpRequest<?> request) {
      AccessPattern pattern =
          context
              .getAnnotationMetadata()
              .enumValue(PageOf.class, AccessPattern.class)
              .orElseThrow(
                  () -> new IllegalStateException("Add @PageOf to " + context.getArgument()));
      HttpParameters query = request.getParameters();
      int limit =
          Optional.ofNullable(query.get("limit"))
              .map(text -> limit(text, pattern.maxPage()))
              .orElse(LIMIT_DEFAULT);
      PageParameters page = new PageParameters(limit, query.get("cursor"));
      return () -> Optional.of(page);
    }

    private static int limit(String text, int max) {
      int limit;
      try {
        limit = Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw ProblemException.invalid("limit", "must be a whole number");
      }
      if (limit < 1) {
        throw ProblemException.invalid("limit", "must be greater than or equal to 1");
      }
      if (limit > max) {
        throw ProblemException.invalid("limit", "must be less than or equal to " + max);
      }
      return limit;
    }
  }
}
