package social.feed.api.function;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.function.aws.proxy.security.MicronautLambdaAuthenticationFetcher;
import io.micronaut.http.HttpRequest;
import io.micronaut.security.authentication.Authentication;
import io.micronaut.security.filters.AuthenticationFetcher;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;

/**
 * Turns off the framework's own identity of a caller behind a gateway. It believes a header that
 * any client can send ({@code x-amzn-oidc-identity}), and the claims in an event without the checks
 * of this API. The token is verified here as in the server.
 */
@Singleton
@Replaces(MicronautLambdaAuthenticationFetcher.class)
final class NoTrustInHeaders implements AuthenticationFetcher<HttpRequest<?>> {

  @Override
  public Publisher<Authentication> fetchAuthentication(HttpRequest<?> request) {
    return Publishers.empty();
  }
}
