package social.feed.local;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import social.feed.streams.Redrive;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.sink.EventOutbox;
import social.feed.streams.sink.SearchSink;
import social.feed.streams.sink.SinkQueue;
import social.feed.table.erasure.ErasureTraces;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaStore;
import social.feed.table.user.CelebrityRule;

/** Creates a redrive, which applies dead letters as the multiplexer applies records. */
public final class LocalRedrive {
  private LocalRedrive() {}

  /**
   * Returns a redrive for the table of a platform, which may run in another process. Events go to
   * the webhooks of the table. Those that the platform was started with are not known here.
   *
   * @param events publishes crossings of the celebrity threshold that were not published before
   * @param celebrities the celebrity rule of the platform
   * @param media the bytes of files
   * @param trendHalfLife the half-life of tags that the platform uses
   * @param sinks the queue of events on their way to sinks
   * @param hasIndex whether the platform may have a search index, which gets the events too
   */
  public static Redrive on(
      Table table,
      CelebrityEvents events,
      CelebrityRule celebrities,
      MediaStore media,
      Duration trendHalfLife,
      SinkQueue sinks,
      boolean hasIndex) {
    var outgoing = new LocalEvents(hasIndex ? List.of(SearchSink.NAME) : List.of());
    outgoing.attach(LocalSinks.registered(table));
    return on(table, events, celebrities, media, trendHalfLife, outgoing, sinks);
  }

  /** The same for a platform whose sinks are known. */
  static Redrive on(
      Table table,
      CelebrityEvents events,
      CelebrityRule celebrities,
      MediaStore media,
      Duration trendHalfLife,
      LocalEvents outgoing,
      SinkQueue sinks) {
    return new Redrive(
        table,
        LocalMultiplexer.plan(trendHalfLife).withEventsWhile(outgoing::areWanted),
        LocalMultiplexer.handlers(
            table,
            LocalMultiplexer.SWEEPING,
            events,
            media,
            new EventOutbox(sinks, outgoing::wanting, Clock.systemUTC()),
            // Only the platform can ask its index.
            outgoing.haveSearch() ? ErasureTraces.UNKNOWN : ErasureTraces.NONE),
        celebrities,
        Clock.systemUTC());
  }
}
