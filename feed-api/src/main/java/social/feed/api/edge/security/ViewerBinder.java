package social.feed.api.edge.security;

import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.token.Claims;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Date;
import social.feed.table.graph.BlocksAndMutes;

/** Lets controllers take the caller as a parameter. */
@Singleton
final class ViewerBinder implements TypedRequestArgumentBinder<Viewer> {
  private final BlocksAndMutes barriers;

  ViewerBinder(BlocksAndMutes barriers) {
    this.barriers = barriers;
  }

  @Override
  public Argument<Viewer> argumentType() {
    return Argument.of(Viewer.class);
  }

  @Override
  public BindingResult<Viewer> bind(
      ArgumentConversionContext<Viewer> context, HttpRequest<?> source) {
    return () -> source.getUserPrincipal(Authentication.class).map(this::viewer);
  }

  private Viewer viewer(Authentication member) {
    return new Viewer(member.getName(), until(member), barriers::around);
  }

  /** Tokens without an end are not believed, see {@link TokenClaimsValidator}. */
  private static Instant until(Authentication member) {
    return switch (member.getAttributes().get(Claims.EXPIRATION_TIME)) {
      case Date date -> date.toInstant();
      case Number seconds -> Instant.ofEpochSecond(seconds.longValue());
      case null, default -> throw new IllegalStateException("A token without an end was believed");
    };
  }
}
