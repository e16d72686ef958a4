package social.feed.testkit.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.declaration.Retention;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaStore;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.fault.Wire;

/** The function under test, which processes both lanes of the stream. */
public interface Subject {
  /**
   * When sweeps for erasures run. Histories wake them, so they need no period; they prove the end
   * of an erasure only after the rest. Parts of erasures wait for units, as on a deployed platform,
   * but the pace pays for them at once.
   */
  ErasureSweeps.Settings SWEEPS =
      new ErasureSweeps.Settings(
          Duration.ZERO, Retention.ERASURE_REST, Double.POSITIVE_INFINITY, 1e9, Long.MAX_VALUE);

  /** How long notifications are kept: less than the absences of a history take together. */
  Duration NOTIFICATIONS_LIVE = Duration.ofDays(40);

  /**
   * Returns the function, with a table that reaches the engine over a wire with faults. The
   * function makes all its calls one after the other.
   */
  StreamFunction function(Table table, Clock clock, Scale scale, Sinks sinks);

  /** The same on a virtual time, on which calls of the function may run at once. */
  default StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
    return function(table, time.clock(), scale, sinks);
  }

  /** Returns whether the counts lane receives a record. */
  boolean isCounted(DynamodbStreamRecord record);

  /** Returns whether the effects lane receives a record. */
  boolean hasEffects(DynamodbStreamRecord record);

  /**
   * Returns whether two batches of one shard may run at once in the counts lane, which a correct
   * event source forbids.
   */
  default boolean letsBatchesOvertake() {
    return false;
  }

  /** Returns a wire that alters the API's own calls, for planted bugs. */
  default Wire apiWire() {
    return Wire.SOUND;
  }

  /**
   * Returns what {@code verify} reports about a world whose stream is drained, a sentence each.
   * Nothing for a subject without a verification.
   *
   * @param table the table, without faults
   * @param clock stands still
   */
  default List<String> drift(Table table, Clock clock, Scale scale) {
    return List.of();
  }

  /**
   * A change of an author's celebrity flag.
   *
   * @param version the number of changes so far, including this one
   */
  record Crossing(String userId, boolean isCelebrity, long version) {}

  /** The destinations of the function's output that is not stored in the table. */
  record Sinks(
      Consumer<DynamodbStreamRecord> deadLetters, Consumer<Crossing> crossings, MediaStore media) {}
}
