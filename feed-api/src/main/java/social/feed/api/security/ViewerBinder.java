package social.feed.api.security;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;

/** Lets controllers take the caller as a parameter. */
@Singleton
final class ViewerBinder implements TypedRequestArgumentBinder<Viewer> {

  @Override
  public Argument<Viewer> argumentType() {
    return Argument.of(Viewer.class);
  }

  @Override
  public BindingResult<Viewer> bind(
      ArgumentConversionContext<Viewer> context, HttpRequest<?> source) {
    return () -> source.getUserPrincipal().map(principal -> new Viewer(principal.getName()));
  }
}
