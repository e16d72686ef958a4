package social.feed.streams.simulated;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.CountsRunner;
import social.feed.streams.EffectHandlers;
import social.feed.streams.EffectsRunner;
import social.feed.streams.LaneFilter;
import social.feed.streams.Multiplexer;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.Effect;
import social.feed.streams.effect.EffectSettings;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.counter.CountChange;
import social.feed.table.counter.DeferredCounters;
import social.feed.table.erasure.ErasureSweeps;
import social.feed.table.kernel.store.Concurrency;
import social.feed.table.kernel.store.Table;
import social.feed.table.row.Key;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.fault.VirtualTime;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/** The multiplexer as it is deployed, with small numbers. */
public class MultiplexerSubject implements Subject {
  /** Several tasks share a batch, one after the other, so that a seed gives the same history. */
  public static final Concurrency IN_TURN =
      new Concurrency(3, tasks -> tasks.forEach(Runnable::run));

  @Override
  public StreamFunction function(Table table, Clock clock, Scale scale, Sinks sinks) {
    return function(table, clock, scale, sinks, IN_TURN, 1);
  }

  @Override
  public StreamFunction function(Table table, VirtualTime time, Scale scale, Sinks sinks) {
    var atOnce = new Concurrency(BatchSizes.STANDARD.keysAtOnce(), time::runTogether);
    return function(table, time.clock(), scale, sinks, atOnce, removedAtOnce());
  }

  /** How many rows of an erased account are removed concurrently, on a virtual time. */
  protected int removedAtOnce() {
    return BatchSizes.STANDARD.removedAtOnce();
  }

  /** How much the handlers do at a time. */
  protected BatchSizes sizes(Scale scale) {
    return BatchSizes.oneByOne(scale.chunk());
  }

  /** When sweeps for erasures run, and how fast erasures proceed. */
  protected ErasureSweeps.Settings sweeping() {
    return SWEEPS;
  }

  private StreamFunction function(
      Table table,
      Clock clock,
      Scale scale,
      Sinks sinks,
      Concurrency concurrency,
      int removedAtOnce) {
    var removing = new Concurrency(removedAtOnce, concurrency.together());
    return bothLanes(
        new Multiplexer(
            table,
            new Plan(NOTIFICATIONS_LIVE),
            new EffectHandlers(
                table,
                clock,
                settings(scale, sizes(scale), sweeping(), sinks).withRemoving(removing)),
            new CelebrityRule(scale.celebrityFrom()),
            deadLetter -> sinks.deadLetters().accept(deadLetter.record()),
            clock,
            concurrency));
  }

  /**
   * The same on a virtual time, with other counters or handlers, for planted bugs.
   *
   * @param counters applies changes of a shard to their items, and returns those that failed
   * @param handlers returns what applies effects in place of the right handlers
   */
  public static StreamFunction function(
      Table table,
      VirtualTime time,
      Scale scale,
      Sinks sinks,
      BiFunction<String, Map<Key, List<CountChange>>, Map<Key, RuntimeException>> counters,
      UnaryOperator<Consumer<List<Effect>>> handlers) {
    Clock clock = time.clock();
    var plan = new Plan(NOTIFICATIONS_LIVE);
    var rule = new CelebrityRule(scale.celebrityFrom());
    var all = multiplexerHandlers(table, clock, scale, sinks);
    Consumer<DynamodbStreamRecord> deadLetters = sinks.deadLetters();
    return bothLanes(
        new Multiplexer(
            new CountsRunner(
                plan,
                counters,
                new DeferredCounters(table, Optional.of(rule), clock)::leaveOut,
                deadLetter -> deadLetters.accept(deadLetter.record())),
            new EffectsRunner(
                plan,
                handlers.apply(all::apply),
                deadLetter -> deadLetters.accept(deadLetter.record()),
                all::deadLettered,
                new Concurrency(BatchSizes.STANDARD.keysAtOnce(), time::runTogether))));
  }

  /** The simulation has one function for both lanes, and only the counts lane has windows. */
  public static StreamFunction bothLanes(Multiplexer multiplexer) {
    return event ->
        multiplexer.handle(event.getShardId() == null ? Lane.EFFECTS : Lane.COUNTS, event);
  }

  public static EffectHandlers multiplexerHandlers(
      Table table, Clock clock, Scale scale, Sinks sinks) {
    return new EffectHandlers(
        table, clock, settings(scale, BatchSizes.oneByOne(scale.chunk()), SWEEPS, sinks));
  }

  private static EffectSettings settings(
      Scale scale, BatchSizes sizes, ErasureSweeps.Settings sweeping, Sinks sinks) {
    return EffectSettings.of(scale.newest(), sizes, sweeping)
        .withEvents(events(sinks))
        .withMedia(sinks.media());
  }

  private static CelebrityEvents events(Sinks sinks) {
    return event ->
        sinks
            .crossings()
            .accept(new Crossing(event.userId(), event.isCelebrity(), event.version()));
  }

  @Override
  public boolean isCounted(DynamodbStreamRecord record) {
    return LaneFilter.accepts(Lane.COUNTS, record);
  }

  @Override
  public boolean hasEffects(DynamodbStreamRecord record) {
    return LaneFilter.accepts(Lane.EFFECTS, record);
  }
}
