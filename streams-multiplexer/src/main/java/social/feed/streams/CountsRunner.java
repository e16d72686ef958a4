package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.streams.change.ChangeDecoder;
import social.feed.streams.deadletter.DeadLetter;
import social.feed.streams.deadletter.DeadLetters;
import social.feed.streams.effect.Count;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.row.Fence;
import social.feed.table.row.Key;

/**
 * Applies the amounts that a batch adds to counters, one update an item. The shard checkpoints of
 * {@link social.feed.table.counter.Counters} cover a prefix of the shard, so a record that cannot
 * be decoded becomes a dead letter and counts as done.
 *
 * <p>An item that cannot be counted does not keep the others of the batch from being counted. Where
 * it never can, only its own records become dead letters. Where it can later, as after throttling,
 * the batch comes again from the first record of that item, and finds the other items counted. A
 * fence is counted after all that was before it is counted, or is a dead letter.
 */
public final class CountsRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CountsRunner.class);

  private final Plan plan;
  private final BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>>
      counters;
  private final BiConsumer<String, Map<Key, List<CountChange>>> leftOut;
  private final DeadLetters deadLetters;

  /** A record with its counts. */
  private record Planned(DynamodbStreamRecord record, List<Count> counts) {
    private boolean isFor(Key item) {
      return counts.stream().anyMatch(count -> count.item().equals(item));
    }

    private Planned only(Key item) {
      return new Planned(
          record, counts.stream().filter(count -> count.item().equals(item)).toList());
    }
  }

  /**
   * @param counters applies changes of a shard to their items, and returns those that failed
   * @param leftOut is called with changes that have become a dead letter, so that the stream does
   *     not apply them again; for an unreadable record with the counters only
   */
  public CountsRunner(
      Plan plan,
      BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters,
      BiConsumer<String, Map<Key, List<CountChange>>> leftOut,
      DeadLetters deadLetters) {
    this.plan = plan;
    this.counters = counters;
    this.leftOut = leftOut;
    this.deadLetters = deadLetters;
  }

  /**
   * Applies a batch.
   *
   * @param shardId the shard that all records come from
   * @return the record from which on everything must come again, or empty when all is done
   */
  public Optional<DynamodbStreamRecord> run(String shardId, List<DynamodbStreamRecord> records) {
    if (records.isEmpty()) {
      return Optional.empty();
    }
    var readable = new ArrayList<Planned>();
    for (var record : records) {
      try {
        readable.add(new Planned(record, plan.counts(ChangeDecoder.decode(record))));
      } catch (RuntimeException e) {
        // The checkpoint moves over this record, so all before it comes first.
        var failed = count(shardId, readable);
        readable.clear();
        if (failed.isPresent()) {
          return failed;
        }
        if (!isDeadLettered(shardId, record, e)) {
          return Optional.of(record);
        }
      }
    }
    return count(shardId, readable);
  }

  private Optional<DynamodbStreamRecord> count(String shardId, List<Planned> batch) {
    if (batch.isEmpty()) {
      return Optional.empty();
    }
    var failed = counters.apply(shardId, changes(batch));
    var others = new LinkedHashMap<>(failed);
    others.keySet().removeIf(Fence::isAt);
    var fences = new LinkedHashMap<>(failed);
    fences.keySet().removeAll(others.keySet());
    var again = again(shardId, batch, others);
    if (again.isEmpty() && !others.isEmpty() && !fences.isEmpty()) {
      // Nothing before the fences comes again: what failed has a dead letter.
      var waiting = batch.stream().filter(one -> fences.keySet().stream().anyMatch(one::isFor));
      again.addAll(again(shardId, batch, counters.apply(shardId, changes(waiting.toList()))));
    } else {
      again.addAll(again(shardId, batch, fences));
    }
    return batch.stream().map(Planned::record).filter(again::contains).findFirst();
  }

  /** Returns the first record of each item that must come again. The others get dead letters. */
  private Set<DynamodbStreamRecord> again(
      String shardId, List<Planned> batch, Map<Key, RuntimeException> failed) {
    var again = new HashSet<DynamodbStreamRecord>();
    failed.forEach(
        (item, failure) -> {
          var ofItem = batch.stream().filter(one -> one.isFor(item)).toList();
          if (Failures.isRetryable(failure)) {
            RecordFields.add(LOG.atWarn(), ofItem.getFirst().record)
                .setCause(failure)
                .log("Records of {} must come again to {}", shardId, item);
            again.add(ofItem.getFirst().record);
          } else {
            countEach(shardId, item, ofItem).ifPresent(again::add);
          }
        });
    return again;
  }

  /** Finds the record that fails. The checkpoint skips records that were applied before. */
  private Optional<DynamodbStreamRecord> countEach(String shardId, Key item, List<Planned> ofItem) {
    return ofItem.stream()
        .filter(one -> !isDone(shardId, one.record, item, changes(List.of(one.only(item)))))
        .map(Planned::record)
        .findFirst();
  }

  /**
   * Sends an unreadable record to the dead letters, as one dead letter, and leaves it out of each
   * item that it is known to count in.
   */
  private boolean isDeadLettered(
      String shardId, DynamodbStreamRecord record, RuntimeException why) {
    send(DeadLetter.ofCounts(shardId, Failures.describe(why), record), why);
    var changes = changes(List.of(new Planned(record, unreadable(record))));
    return changes.entrySet().stream()
        .allMatch(ofItem -> isLeftOut(shardId, record, Map.ofEntries(ofItem)));
  }

  /** Returns no counts where the keys of a record make none. Verify recounts what is missing. */
  private List<Count> unreadable(DynamodbStreamRecord record) {
    try {
      return plan.unreadableCounts(record);
    } catch (IllegalArgumentException e) {
      RecordFields.add(LOG.atWarn(), record)
          .setCause(e)
          .log("No checkpoint moves over record {}", record.getDynamodb().getSequenceNumber());
      return List.of();
    }
  }

  /** A record may count in several items. Each is applied, or has a dead letter, by itself. */
  private boolean isDone(
      String shardId, DynamodbStreamRecord record, Key item, Map<Key, List<CountChange>> ofItem) {
    var failure = counters.apply(shardId, ofItem).get(item);
    if (failure == null) {
      return true;
    }
    if (Failures.isRetryable(failure)) {
      return false;
    }
    send(DeadLetter.ofCount(shardId, item, Failures.describe(failure), record), failure);
    return isLeftOut(shardId, record, ofItem);
  }

  /**
   * Moves the checkpoint of an item over a record whose dead letter was sent before. A record that
   * is left out without a dead letter would be lost. A dead letter that is sent twice is one.
   */
  private boolean isLeftOut(
      String shardId, DynamodbStreamRecord record, Map<Key, List<CountChange>> ofItem) {
    try {
      leftOut.accept(shardId, ofItem);
      return true;
    } catch (RuntimeException e) {
      RecordFields.add(LOG.atWarn(), record)
          .setCause(e)
          .log("The checkpoint stays before record {}", record.getDynamodb().getSequenceNumber());
      return !Failures.isRetryable(e);
    }
  }

  private static Map<Key, List<CountChange>> changes(List<Planned> batch) {
    var changes = new LinkedHashMap<Key, List<CountChange>>();
    for (var one : batch) {
      for (var count : one.counts) {
        changes
            .computeIfAbsent(count.item(), _ -> new ArrayList<>())
            .add(
                new CountChange(
                    one.record.getDynamodb().getSequenceNumber(),
                    count.attribute(),
                    count.delta()));
      }
    }
    return changes;
  }

  private void send(DeadLetter deadLetter, RuntimeException failure) {
    RecordFields.add(LOG.atError(), deadLetter.record())
        .setCause(failure)
        .log("Record {} is a dead letter", deadLetter.sequenceNumber());
    deadLetters.send(deadLetter);
  }
}
