package social.feed.api.edge.idempotency;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * Where the random part of new ids comes from: not guessable, since a private post's id must not
 * be.
 */
@Factory
final class Randomness {

  @Singleton
  RandomGenerator random() {
    return new SecureRandom();
  }
}
