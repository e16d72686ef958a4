package social.feed.engine.eventsource;

import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import org.jspecify.annotations.Nullable;

/** The function behind a mapping. Called at least once for each record that passes the filter. */
@FunctionalInterface
public interface StreamFunction {

  /**
   * Handles one batch of one shard, in the order of the stream.
   *
   * @param event without a tumbling window the shard, the window and the state are null
   * @return null or no failures: all handled. With {@code reportBatchItemFailures}, the records
   *     from the lowest reported sequence number on come again. A mapping with a tumbling window
   *     has to return a state, except from the final call of a window
   * @throws Exception the whole batch comes again
   */
  @Nullable TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) throws Exception;
}
