package social.feed.streams;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import java.time.Clock;
import java.time.Duration;
import social.feed.engine.eventsource.StreamFunction;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.effect.BatchSizes;
import social.feed.streams.effect.EffectHandlers;
import social.feed.streams.plan.Lane;
import social.feed.streams.plan.Plan;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;
import social.feed.testkit.simulation.Scale;
import social.feed.testkit.simulation.Subject;

/** The multiplexer as it is deployed, with small numbers. */
class SoundSubject implements Subject {
  static final Duration NOTIFICATIONS_LIVE = Duration.ofDays(90);

  @Override
  public StreamFunction function(Table table, Clock clock, Scale scale, Sinks sinks) {
    return new Multiplexer(
            table,
            new Plan(NOTIFICATIONS_LIVE),
            soundHandlers(table, clock, scale, sinks),
            new CelebrityRule(scale.celebrityFrom()),
            letter -> sinks.deadLetters().accept(letter.record()),
            clock)
        ::handle;
  }

  static EffectHandlers soundHandlers(Table table, Clock clock, Scale scale, Sinks sinks) {
    return new EffectHandlers(
        table, clock, scale.newest(), BatchSizes.oneByOne(scale.chunk()), events(sinks));
  }

  private static CelebrityEvents events(Sinks sinks) {
    return event ->
        sinks
            .crossings()
            .accept(new Crossing(event.userId(), event.isCelebrity(), event.version()));
  }

  @Override
  public boolean isCounted(DynamodbStreamRecord record) {
    return LaneFilter.wants(Lane.COUNTS, record);
  }

  @Override
  public boolean hasEffects(DynamodbStreamRecord record) {
    return LaneFilter.wants(Lane.EFFECTS, record);
  }
}
