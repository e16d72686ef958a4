package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.Counters;
import social.feed.table.row.Key;

/**
 * Applies what a batch adds to counters, one update an item. The marks of {@link Counters} cover a
 * prefix of the shard, so a record that cannot be decoded becomes a dead letter and counts as done.
 */
final class CountsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CountsRunner.class);

  private final Plan plan;
  private final Counters counters;
  private final DeadLetters deadLetters;

  CountsRunner(Plan plan, Counters counters, DeadLetters deadLetters) {
    this.plan = plan;
    this.counters = counters;
    this.deadLetters = deadLetters;
  }

  /**
   * The record from which on everything is to come again, or empty when all is done.
   *
   * @param shardId the shard that all records come from
   */
  Optional<DynamodbStreamRecord> run(String shardId, List<DynamodbStreamRecord> records) {
    if (records.isEmpty()) {
      return Optional.empty();
    }
    try {
      counters.apply(shardId, changes(records));
      return Optional.empty();
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        LOG.warn("A batch of {} is to come again to its counters", records.size(), e);
        return Optional.of(records.getFirst());
      }
      return runEach(shardId, records);
    }
  }

  /** Finds the record that spoiled a batch; the marks skip what was applied before. */
  private Optional<DynamodbStreamRecord> runEach(
      String shardId, List<DynamodbStreamRecord> records) {
    for (var record : records) {
      try {
        counters.apply(shardId, changes(List.of(record)));
      } catch (RuntimeException e) {
        if (Failures.isRetryable(e)) {
          return Optional.of(record);
        }
        bury(record, e);
      }
    }
    return Optional.empty();
  }

  private Map<Key, List<CountChange>> changes(List<DynamodbStreamRecord> records) {
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    for (var record : records) {
      for (var effect : effects(record)) {
        if (effect instanceof Effect.Count count) {
          changes
              .computeIfAbsent(count.item(), _ -> new ArrayList<>())
              .add(
                  new CountChange(
                      Records.sequenceNumber(record), count.attribute(), count.delta()));
        }
      }
    }
    return changes;
  }

  private List<Effect> effects(DynamodbStreamRecord record) {
    try {
      return plan.of(ChangeDecoder.decode(record));
    } catch (RuntimeException e) {
      bury(record, e);
      return List.of();
    }
  }

  private void bury(DynamodbStreamRecord record, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", Records.sequenceNumber(record), failure);
    deadLetters.send(new DeadLetter("counts", Failures.describe(failure), record));
  }
}
