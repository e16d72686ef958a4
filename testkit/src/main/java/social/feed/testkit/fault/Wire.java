package social.feed.testkit.fault;

import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;

/** A layer between a client and the table that passes requests on, alters them or fails. */
public interface Wire {
  /** A wire without faults. */
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
   * @param table sends the request to the table; called any number of times
   */
  <Q extends DynamoDbRequest, A> A send(Q request, Function<Q, A> table);

  /** Returns this wire with another one below it. */
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
