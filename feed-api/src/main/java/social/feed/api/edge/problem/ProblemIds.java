package social.feed.api.edge.problem;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Supplier;

/** Where the identifiers of problems come from. */
@Factory
final class ProblemIds {

  @Singleton
  Supplier<UUID> occurrences() {
    return UUID::randomUUID;
  }
}
