package social.feed.api.edge.query;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.TypeConverter;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.Optional;
import social.feed.api.edge.problem.ProblemException;

/** Reads a {@link Flag}. */
@Singleton
final class FlagConverter implements TypeConverter<CharSequence, Flag> {

  @Override
  public Optional<Flag> convert(CharSequence text, Class<Flag> target, ConversionContext context) {
    return switch (text.toString()) {
      case "true" -> Optional.of(new Flag(true));
      case "false" -> Optional.of(new Flag(false));
      default -> {
        context.reject(text, ProblemException.invalid(argument(context), "must be true or false"));
        yield Optional.empty();
      }
    };
  }

  private static Argument<?> argument(ConversionContext context) {
    return context instanceof ArgumentConversionContext<?> bound
        ? bound.getArgument()
        : Argument.of(Flag.class, "flag");
  }
}
