package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.util.function.Consumer;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.table.kernel.store.Table;
import social.feed.testkit.fault.Wire;

/** What a simulation is about: the function behind both lanes of the stream. */
public interface Subject {
  /**
   * The function, reaching the table over a wire where things go wrong. All its calls come one
   * after the other.
   */
  StreamFunction function(Table table, Clock clock, Scale scale, Sinks sinks);

  /** Whether a record is for the lane that counts. */
  boolean isCounted(DynamodbStreamRecord record);

  /** Whether a record is for the lane of all other effects. */
  boolean hasEffects(DynamodbStreamRecord record);

  /** Whether the counts lane has batches of one shard at work at once. It must not. */
  default boolean letsBatchesOvertake() {
    return false;
  }

  /** What the API is to get wrong in its own calls. */
  default Wire ofRequests() {
    return Wire.SOUND;
  }

  /**
   * An author became a celebrity or ceased to be one.
   *
   * @param version how often that has happened
   */
  record Crossing(String userId, boolean isCelebrity, long version) {}

  /** Where the function sends what does not go into the table. */
  record Sinks(Consumer<DynamodbStreamRecord> deadLetters, Consumer<Crossing> crossings) {}
}
