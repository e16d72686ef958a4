package social.feed.local;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import social.feed.streams.EffectHandlers;
import social.feed.streams.Redrive;
import social.feed.streams.RedriveOutcome;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.plan.Plan;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.SinkMessage;
import social.feed.streams.sink.SinkQueue;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaStore;
import social.feed.table.suspicion.SuspicionRules;
import social.feed.table.user.CelebrityRule;

/** Creates a redrive, which applies dead letters as the multiplexer applies records. */
public final class LocalRedrive {
  private LocalRedrive() {}

  /**
   * Returns a redrive for the table of a platform, which may run in another process or on AWS. Its
   * sinks are not known here, so an event is one message to all of them, and what consumes the
   * queue gives it to those that want it.
   *
   * @param events publishes crossings of the celebrity threshold that were not published before
   * @param celebrities the celebrity rule of the platform; without it no flag of an account changes
   * @param media the bytes of files
   * @param trendHalfLife the half-life of tags that the platform uses
   * @param suspicion its thresholds of suspicious follows
   * @param sinks the queue of events on their way to sinks
   * @param knowsSinks whether there is that queue; without it, an event fails where the table has
   *     webhooks, and is left out otherwise
   */
  public static Redrive on(
      Table table,
      CelebrityEvents events,
      Optional<CelebrityRule> celebrities,
      MediaStore media,
      Duration trendHalfLife,
      SuspicionRules suspicion,
      SinkQueue sinks,
      boolean knowsSinks) {
    var registered = LocalSinks.registered(table);
    return on(
        table,
        events,
        celebrities,
        media,
        LocalPlan.effects(trendHalfLife, suspicion)
            .withEventsWhile(() -> knowsSinks || registered.isInUse()),
        new EventOutbox(sinks, _ -> List.of(SinkMessage.EVERY), Clock.systemUTC()),
        // There may be an index, which only the platform can ask.
        ErasureTraces.UNKNOWN);
  }

  /**
   * Puts the event of a dead letter back on the queue of sinks, with a day to be published.
   *
   * @param sinks the queue of events on their way to sinks
   */
  public static RedriveOutcome publishAgain(SinkMessage unpublished, SinkQueue sinks) {
    try {
      sinks.send(List.of(unpublished.again(Instant.now())), Duration.ZERO);
      return new RedriveOutcome.Applied(List.of("Publish"));
    } catch (RuntimeException e) {
      return new RedriveOutcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** The same for a platform whose sinks are known. */
  static Redrive on(
      Table table,
      CelebrityEvents events,
      CelebrityRule celebrities,
      MediaStore media,
      LocalPlan plan,
      SinkQueue sinks) {
    var outgoing = plan.outgoing();
    return on(
        table,
        events,
        Optional.of(celebrities),
        media,
        plan.effects(),
        new EventOutbox(sinks, outgoing::wanting, Clock.systemUTC()),
        // Only the platform can ask its index.
        outgoing.haveSearch() ? ErasureTraces.UNKNOWN : ErasureTraces.NONE);
  }

  private static Redrive on(
      Table table,
      CelebrityEvents events,
      Optional<CelebrityRule> celebrities,
      MediaStore media,
      Plan plan,
      EventOutbox outbox,
      ErasureTraces traces) {
    return new Redrive(
        table,
        plan,
        new EffectHandlers(
            table,
            Clock.systemUTC(),
            LocalMultiplexer.effects(LocalMultiplexer.SWEEPING)
                .withEvents(events)
                .withMedia(media)
                .withOutbox(outbox)
                .withTraces(traces)),
        celebrities,
        Clock.systemUTC());
  }
}
