package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse;
import com.amazonaws.services.lambda.runtime.events.TimeWindowEventResponse.BatchItemFailure;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.Table;
import social.feed.table.kernel.trace.Tracing;
import social.feed.table.row.Key;
import social.feed.table.row.TagUses;
import social.feed.table.user.CelebrityRule;

/** Both lanes of the function behind the table's stream, without the function. */
public final class Multiplexer {
  private final CountsRunner counts;
  private final EffectsRunner effects;
  private final RecordTraces traces;

  /**
   * @param clock bounds how long a dead letter of the counts lane is remembered
   */
  public Multiplexer(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      CelebrityRule celebrities,
      DeadLetters deadLetters,
      Clock clock) {
    this(table, plan, handlers, celebrities, deadLetters, clock, Optional.empty());
  }

  /**
   * Creates a multiplexer that continues the traces of requests.
   *
   * @param clock bounds how long a dead letter of the counts lane is remembered
   * @param tracing also that of the table's client; empty where it is off
   */
  public Multiplexer(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      CelebrityRule celebrities,
      DeadLetters deadLetters,
      Clock clock,
      Optional<Tracing> tracing) {
    this(
        table,
        plan,
        handlers,
        celebrities,
        deadLetters,
        clock,
        Concurrency.ofThreads(handlers.sizes().keysAtOnce()),
        new RecordTraces(tracing));
  }

  /**
   * Creates a multiplexer whose effects share a batch in a given way.
   *
   * @param clock bounds how long a dead letter of the counts lane is remembered, and which uses of
   *     tags are counted
   */
  public Multiplexer(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      CelebrityRule celebrities,
      DeadLetters deadLetters,
      Clock clock,
      Concurrency concurrency) {
    this(table, plan, handlers, celebrities, deadLetters, clock, concurrency, RecordTraces.NONE);
  }

  private Multiplexer(
      Table table,
      Plan plan,
      EffectHandlers handlers,
      CelebrityRule celebrities,
      DeadLetters deadLetters,
      Clock clock,
      Concurrency concurrency,
      RecordTraces traces) {
    this(
        new CountsRunner(
            plan,
            visible(new Counters(table, celebrities, handlers.sizes().countersAtOnce()), clock),
            new DeferredCounters(table, Optional.of(celebrities), clock)::leaveOut,
            deadLetters),
        new EffectsRunner(
            plan, handlers::apply, deadLetters, handlers::deadLettered, concurrency, traces),
        traces);
  }

  /**
   * Leaves out uses of tags that no list shows any more, as those of an old post that is deleted.
   */
  private static BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>>
      visible(Counters counters, Clock clock) {
    return (shardId, changes) -> {
      var now = clock.instant();
      var visible = new LinkedHashMap<>(changes);
      visible.keySet().removeIf(item -> TagUses.isPast(item, now));
      return counters.applyEach(shardId, visible);
    };
  }

  /** Creates a multiplexer of given runners, which a planted bug may replace. */
  public Multiplexer(CountsRunner counts, EffectsRunner effects) {
    this(counts, effects, RecordTraces.NONE);
  }

  private Multiplexer(CountsRunner counts, EffectsRunner effects, RecordTraces traces) {
    this.counts = counts;
    this.effects = effects;
    this.traces = traces;
  }

  /**
   * Handles a batch.
   *
   * @param lane the lane whose event source mapping sends the batch, as the entry point has it
   * @param event for the counts lane an event of a tumbling window, which names its shard
   * @return the first record that must come again, with all records behind it, as a partial
   *     response; for a window also its state, unchanged
   * @throws IllegalArgumentException for a batch of the counts lane that names no shard
   */
  public TimeWindowEventResponse handle(Lane lane, DynamodbTimeWindowEvent event) {
    var records = event.getRecords() == null ? List.<DynamodbStreamRecord>of() : event.getRecords();
    var failed =
        switch (lane) {
          case COUNTS -> traces.runCounts(records, () -> counts.run(shard(event), records));
          case EFFECTS -> effects.run(records);
        };
    return response(event, failed);
  }

  private static String shard(DynamodbTimeWindowEvent event) {
    if (event.getShardId() == null) {
      throw new IllegalArgumentException(
          "The event names no shard. Give the mapping of the counts lane a tumbling window");
    }
    return event.getShardId();
  }

  private static TimeWindowEventResponse response(
      DynamodbTimeWindowEvent event, Optional<DynamodbStreamRecord> failed) {
    var response = new TimeWindowEventResponse();
    response.setState(event.getState());
    response.setBatchItemFailures(
        failed.stream()
            .map(record -> record.getDynamodb().getSequenceNumber())
            .map(BatchItemFailure::new)
            .toList());
    return response;
  }
}
