package social.feed.api.function;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.Duration;
import social.feed.api.edge.dynamodb.DynamoDbConfiguration;
import social.feed.table.kernel.store.CallDeadline;

/**
 * Leaves the time of one call, and a little more, at the end of an invocation. So a request with
 * several slow calls is answered with a problem before Lambda ends it, which is before the gateway
 * would.
 */
@Factory
final class Deadlines {
  private static final Duration ANSWER = Duration.ofSeconds(2);

  @Singleton
  CallDeadline deadline(DynamoDbConfiguration table) {
    int reserve = Math.toIntExact(table.callTimeout().plus(ANSWER).toMillis());
    return new CallDeadline(_ -> reserve);
  }
}
