package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.effect.EffectHandlers;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.Counters;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;

/**
 * What the function behind the table's stream does, without the function: both lanes of it. An
 * event that names its shard comes from a tumbling window and is for the counts, any other for the
 * effects.
 */
public final class Multiplexer {
  private final CountsRunner counts;
  private final EffectsRunner effects;

  /**
   * @param clock says until when what became a dead letter is remembered
   */
  public Multiplexer(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      CelebrityRule celebrities,
      DeadLetters deadLetters,
      Clock clock) {
    this.counts =
        new CountsRunner(
            plan,
            new Counters(table, celebrities)::apply,
            new DeferredCounters(table, celebrities, clock)::leaveOut,
            deadLetters);
    this.effects = new EffectsRunner(plan, handlers::apply, deadLetters, handlers::buried);
  }

  /**
   * Handles a batch.
   *
   * @return the first record that is to come again with everything behind it, as a partial
   *     response; for a window also its state, as it came
   */
  public TimeWindowEventResponse handle(DynamodbTimeWindowEvent event) {
    var records = event.getRecords() == null ? List.<DynamodbStreamRecord>of() : event.getRecords();
    var failed =
        event.getShardId() == null ? effects.run(records) : counts.run(event.getShardId(), records);
    return response(event, failed);
  }

  static TimeWindowEventResponse response(
      DynamodbTimeWindowEvent event, Optional<DynamodbStreamRecord> failed) {
    var response = new TimeWindowEventResponse();
    response.setState(event.getState());
    response.setBatchItemFailures(
        failed.stream().map(RecordFields::sequenceNumber).map(BatchItemFailure::new).toList());
    return response;
  }
}
