package social.feed.local;

import java.time.Clock;
import java.time.Duration;
import social.feed.streams.Redrive;
import social.feed.streams.celebrity.CelebrityEvents;
import social.feed.table.kernel.store.Table;
import social.feed.table.user.CelebrityRule;

/** Applies dead letters as the multiplexer would have, had it been able to. */
public final class LocalRedrive {
  private LocalRedrive() {}

  /**
   * For the table of a platform, which need not run in this process.
   *
   * @param events where a crossing of the threshold is published that was not before
   * @param celebrities as the platform has it
   * @param trendHalfLife as the platform has it
   */
  public static Redrive on(
      Table table, CelebrityEvents events, CelebrityRule celebrities, Duration trendHalfLife) {
    return new Redrive(
        table,
        LocalMultiplexer.plan(trendHalfLife),
        LocalMultiplexer.handlers(table, events),
        celebrities,
        Clock.systemUTC());
  }
}
