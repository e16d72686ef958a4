package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.plan.Effect;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.row.Key;

/**
 * Applies what a batch adds to counters, one update an item. The marks of {@link
 * social.feed.table.counter.Counters} cover a prefix of the shard, so a record that cannot be
 * decoded becomes a dead letter and counts as done.
 */
final class CountsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CountsRunner.class);

  private final Plan plan;
  private final BiConsumer<String, Map<Key, List<CountChange>>> counters;
  private final BiConsumer<String, Map<Key, List<CountChange>>> leftOut;
  private final DeadLetters deadLetters;

  /** A record with what it causes, or why that cannot be told. */
  private record Read(
      DynamodbStreamRecord record, List<Effect> effects, Optional<RuntimeException> unreadable) {}

  /**
   * @param counters applies changes of a shard to their items
   * @param leftOut is told of changes that have become a dead letter, so that the stream does not
   *     bring them again
   */
  CountsRunner(
      Plan plan,
      BiConsumer<String, Map<Key, List<CountChange>>> counters,
      BiConsumer<String, Map<Key, List<CountChange>>> leftOut,
      DeadLetters deadLetters) {
    this.plan = plan;
    this.counters = counters;
    this.leftOut = leftOut;
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
    var read = records.stream().map(this::read).toList();
    try {
      counters.accept(shardId, changes(read));
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        LOG.warn("A batch of {} is to come again to its counters", records.size(), e);
        return Optional.of(records.getFirst());
      }
      return runEach(shardId, read);
    }
    // Only now, or each time that the batch comes again, they would be buried again.
    read.forEach(one -> buryUnreadable(shardId, one));
    return Optional.empty();
  }

  /** Finds what spoiled a batch; the marks skip what was applied before. */
  private Optional<DynamodbStreamRecord> runEach(String shardId, List<Read> read) {
    for (var one : read) {
      for (var ofItem : changes(List.of(one)).entrySet()) {
        if (!isDone(shardId, one, Map.ofEntries(ofItem))) {
          return Optional.of(one.record);
        }
      }
      buryUnreadable(shardId, one);
    }
    return Optional.empty();
  }

  /** A record may count in several items, each of which is applied, or has a letter, by itself. */
  private boolean isDone(String shardId, Read one, Map<Key, List<CountChange>> ofItem) {
    try {
      counters.accept(shardId, ofItem);
      return true;
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        return false;
      }
      for (var item : ofItem.keySet()) {
        bury(DeadLetter.ofCount(shardId, item, Failures.describe(e), one.record), e);
      }
      return isLeftOut(shardId, one, ofItem);
    }
  }

  /**
   * Only now: what was left out and has no letter would be lost. A letter that is sent twice is
   * one.
   */
  private boolean isLeftOut(String shardId, Read one, Map<Key, List<CountChange>> ofItem) {
    try {
      leftOut.accept(shardId, ofItem);
      return true;
    } catch (RuntimeException e) {
      LOG.warn("The mark stays before record {}", Records.sequenceNumber(one.record), e);
      return !Failures.isRetryable(e);
    }
  }

  private static Map<Key, List<CountChange>> changes(List<Read> read) {
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    for (var one : read) {
      for (var effect : one.effects) {
        if (effect instanceof Effect.Count count) {
          changes
              .computeIfAbsent(count.item(), _ -> new ArrayList<>())
              .add(
                  new CountChange(
                      Records.sequenceNumber(one.record), count.attribute(), count.delta()));
        }
      }
    }
    return changes;
  }

  private Read read(DynamodbStreamRecord record) {
    try {
      return new Read(record, plan.of(ChangeDecoder.decode(record)), Optional.empty());
    } catch (RuntimeException e) {
      return new Read(record, List.of(), Optional.of(e));
    }
  }

  private void buryUnreadable(String shardId, Read read) {
    read.unreadable.ifPresent(
        why -> bury(DeadLetter.ofCounts(shardId, Failures.describe(why), read.record), why));
  }

  private void bury(DeadLetter letter, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", letter.sequenceNumber(), failure);
    deadLetters.send(letter);
  }
}
