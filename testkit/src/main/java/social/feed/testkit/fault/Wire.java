package social.feed.testkit.fault;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** What lies between a client and the table: passes requests on, or does not. */
public interface Wire {
  /** A wire on which nothing happens. */
  Wire SOUND =
      new Wire() {
        @Override
        public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
          return table.apply(request);
        }
      };

  /**
   * Sends a request.
   *
   * @param table answers it; may be called never or more than once
   */
  <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table);

  /** This wire with another one behind it. */
  default Wire over(Wire below) {
    var above = this;
    return new Wire() {
      @Override
      public <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table) {
        return above.send(request, passed -> below.send(passed, table));
      }
    };
  }
}
