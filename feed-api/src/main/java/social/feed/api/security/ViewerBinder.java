package social.feed.api.security;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.security.Principal;
import social.feed.table.graph.Barriers;

/** Lets controllers take the caller as a parameter. */
@Singleton
final class ViewerBinder implements TypedRequestArgumentBinder<Viewer> {
  private final Barriers barriers;

  ViewerBinder(Barriers barriers) {
    this.barriers = barriers;
  }

  @Override
  public Argument<Viewer> argumentType() {
    return Argument.of(Viewer.class);
  }

  @Override
  public BindingResult<Viewer> bind(
      ArgumentConversionContext<Viewer> context, HttpRequest<?> source) {
    return () -> source.getUserPrincipal().map(Principal::getName).map(this::viewer);
  }

  private Viewer viewer(String userId) {
    return new Viewer(userId, barriers.around(userId));
  }
}
