package social.feed.api.edge.problem;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Supplier;

/** Provides the identifiers of problems. */
@Factory
final class ProblemIds {

  @Singleton
  Supplier<UUID> problemIds() {
    return UUID::randomUUID;
  }
}
