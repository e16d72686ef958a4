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
import social.feed.table.graph.FollowQuotas;
import social.feed.table.user.Users;

/** Binds the caller to a controller's {@link Viewer} parameter. */
@Singleton
final class ViewerBinder implements TypedRequestArgumentBinder<Viewer> {
  private final Viewer.Stores stores;

  ViewerBinder(BlocksAndMutes blocksAndMutes, MuteCache mutes, Users users, FollowQuotas quotas) {
    this.stores = new Viewer.Stores(blocksAndMutes, mutes, users, quotas);
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
    return new Viewer(member.getName(), until(member), stores);
  }

  /** {@link TokenClaimsValidator} rejects tokens without an end. */
  private static Instant until(Authentication member) {
    return switch (member.getAttributes().get(Claims.EXPIRATION_TIME)) {
      case Date date -> date.toInstant();
      case Number seconds -> Instant.ofEpochSecond(seconds.longValue());
      case null, default ->
          throw new IllegalStateException("The token was accepted without an expiration time");
    };
  }
}
