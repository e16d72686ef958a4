package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import org.jspecify.annotations.Nullable;

/** The function that a mapping calls, at least once for each record that passes the filter. */
@FunctionalInterface
public interface StreamFunction {

  /**
   * Handles one batch of one shard, in the order of the stream.
   *
   * @param event without a tumbling window the shard, the window and the state are null
   * @return null, or a response without failures, if all records were handled. With {@code
   *     reportBatchItemFailures}, the records from the lowest reported sequence number on are
   *     delivered again. With a tumbling window, every call but the final one of a window must
   *     return a state
   * @throws Exception to have the whole batch delivered again
   */
  @Nullable TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) throws Exception;
}
