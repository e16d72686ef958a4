package social.feed.local;

import java.time.Clock;
import java.time.Duration;
import social.feed.streams.Redrive;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.streams.sink.EventOutbox;
import social.feed.table.kernel.store.Table;
import social.feed.table.media.MediaStore;
import social.feed.table.user.CelebrityRule;

/** Creates a redrive, which applies dead letters as the multiplexer applies records. */
public final class LocalRedrive {
  private LocalRedrive() {}

  /**
   * Returns a redrive for the table of a platform, which may run in another process.
   *
   * @param events publishes crossings of the celebrity threshold that were not published before
   * @param celebrities the celebrity rule of the platform
   * @param media the bytes of files
   * @param trendHalfLife the half-life of tags that the platform uses
   */
  public static Redrive on(
      Table table,
      CelebrityEvents events,
      CelebrityRule celebrities,
      MediaStore media,
      Duration trendHalfLife) {
    return new Redrive(
        table,
        LocalMultiplexer.plan(trendHalfLife),
        LocalMultiplexer.handlers(
            table, LocalMultiplexer.SWEEPING, events, media, EventOutbox.NONE),
        celebrities,
        Clock.systemUTC());
  }
}
