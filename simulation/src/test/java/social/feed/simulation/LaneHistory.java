package social.feed.simulation;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.DynamodbTimeWindowEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import social.feed.streams.EffectHandlers;
import social.feed.streams.Multiplexer;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.streams.simulated.MultiplexerSubject;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.SeedWorld;
import social.feed.testkit.SteppingClock;
import social.feed.testkit.fault.Wire;
import social.feed.testkit.simulation.StreamedTable;
import social.feed.testkit.simulation.Subject;

/** A random history whose changes reach the lane of effects. A seed gives the same history. */
abstract class LaneHistory {
  static final int MANY = 10_000;

  /** Without events and suspicions of its own. */
  static final Plan PLAN = new Plan(Duration.ofDays(90));

  final Random random;
  final StreamedTable table;
  final Table sound;
  final SteppingClock clock;
  final SeedWorld world;

  LaneHistory(StreamedTable table, long seed, Instant start) {
    this.random = new Random(seed);
    this.table = table;
    this.sound = table.over(Wire.SOUND);
    // Ids of posts begin with their time, and worlds share a table.
    this.clock = new SteppingClock(start.plus(Duration.ofDays(seed)));
    this.world = new SeedWorld(sound, clock);
  }

  /** Runs the history, and returns what is wrong in the end. */
  abstract Collection<String> run();

  final Multiplexer multiplexer(Table of, Plan plan, EventOutbox outbox) {
    return multiplexer(of, plan, outbox, ErasureTraces.NONE);
  }

  /**
   * @param traces what a search index has of erased accounts
   */
  final Multiplexer multiplexer(Table of, Plan plan, EventOutbox outbox, ErasureTraces traces) {
    return new Multiplexer(
        of,
        plan,
        new EffectHandlers(
            of,
            clock,
            EffectSettings.of(5, BatchSizes.oneByOne(5), Subject.SWEEPS)
                .withOutbox(outbox)
                .withTraces(traces)),
        new CelebrityRule(MANY),
        deadLetter -> {
          throw new AssertionError(deadLetter.reason());
        },
        clock,
        MultiplexerSubject.IN_TURN);
  }

  /** Returns the new records of the stream. */
  final List<DynamodbStreamRecord> newRecords() {
    return table.read().stream().map(tailed -> tailed.record()).toList();
  }

  /** Lets the lane handle a batch, and returns how many of its records it is done with. */
  static int handled(Multiplexer multiplexer, List<DynamodbStreamRecord> batch) {
    var event = new DynamodbTimeWindowEvent();
    event.setRecords(batch);
    var failures = multiplexer.handle(Lane.EFFECTS, event).getBatchItemFailures();
    if (failures.isEmpty()) {
      return batch.size();
    }
    return batch.stream()
        .map(DynamodbStreamRecord::getDynamodb)
        .map(StreamRecord::getSequenceNumber)
        .toList()
        .indexOf(failures.getFirst().getItemIdentifier());
  }

  final boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  final <T> Optional<T> any(Collection<T> all) {
    var list = List.copyOf(all);
    return list.isEmpty() ? Optional.empty() : Optional.of(list.get(random.nextInt(list.size())));
  }
}
