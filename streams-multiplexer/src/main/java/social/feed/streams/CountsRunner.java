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

  /** A record with what it causes. */
  private record Read(DynamodbStreamRecord record, List<Effect> effects) {}

  /**
   * @param counters applies changes of a shard to their items
   * @param leftOut is told of changes that have become a dead letter, so that the stream does not
   *     bring them again; of a record that nobody can read only which counters it is for
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
    var readable = new ArrayList<Read>();
    for (var record : records) {
      try {
        readable.add(new Read(record, plan.of(ChangeDecoder.decode(record))));
      } catch (RuntimeException e) {
        // The mark moves over it, so all before it comes first.
        var failed = count(shardId, readable);
        readable.clear();
        if (failed.isPresent()) {
          return failed;
        }
        if (!isBuried(shardId, record, e)) {
          return Optional.of(record);
        }
      }
    }
    return count(shardId, readable);
  }

  private Optional<DynamodbStreamRecord> count(String shardId, List<Read> read) {
    if (read.isEmpty()) {
      return Optional.empty();
    }
    try {
      counters.accept(shardId, changes(read));
      return Optional.empty();
    } catch (RuntimeException e) {
      if (Failures.isRetryable(e)) {
        LOG.warn("A batch of {} is to come again to its counters", read.size(), e);
        return Optional.of(read.getFirst().record);
      }
      return countEach(shardId, read);
    }
  }

  /** Finds what spoiled a batch; the marks skip what was applied before. */
  private Optional<DynamodbStreamRecord> countEach(String shardId, List<Read> read) {
    for (var one : read) {
      for (var ofItem : changes(List.of(one)).entrySet()) {
        if (!isDone(shardId, one, Map.ofEntries(ofItem))) {
          return Optional.of(one.record);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * What nobody can read has one letter, and is left out of each item that it is known to count in.
   */
  private boolean isBuried(String shardId, DynamodbStreamRecord record, RuntimeException why) {
    bury(DeadLetter.ofCounts(shardId, Failures.describe(why), record), why);
    var changes = changes(List.of(new Read(record, plan.ofUnread(record))));
    return changes.entrySet().stream()
        .allMatch(ofItem -> isLeftOut(shardId, record, Map.ofEntries(ofItem)));
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
      return isLeftOut(shardId, one.record, ofItem);
    }
  }

  /**
   * Moves the mark of an item over a record that was buried before: what was left out and has no
   * letter would be lost. A letter that is sent twice is one.
   */
  private boolean isLeftOut(
      String shardId, DynamodbStreamRecord record, Map<Key, List<CountChange>> ofItem) {
    try {
      leftOut.accept(shardId, ofItem);
      return true;
    } catch (RuntimeException e) {
      LOG.warn("The mark stays before record {}", RecordFields.sequenceNumber(record), e);
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
                      RecordFields.sequenceNumber(one.record), count.attribute(), count.delta()));
        }
      }
    }
    return changes;
  }

  private void bury(DeadLetter letter, RuntimeException failure) {
    LOG.error("Record {} is a dead letter", letter.sequenceNumber(), failure);
    deadLetters.send(letter);
  }
}
