package social.feed.api.edge.idempotency;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * Provides the random part of new ids. It is not guessable, because the id of a private post must
 * not be.
 */
@Factory
final class Randomness {

  @Singleton
  RandomGenerator random() {
    return new SecureRandom();
  }
}
