package social.feed.local;

import java.time.Clock;
import social.feed.streams.Redrive;
import social.feed.table.store.Table;

/**
 * Applies dead letters as the multiplexer of the local platform would have, had it been able to.
 */
public final class LocalRedrive {
  private LocalRedrive() {}

  /** For the table of a local platform, which need not run in this process. */
  public static Redrive on(Table table) {
    return new Redrive(
        table,
        LocalMultiplexer.plan(),
        LocalMultiplexer.handlers(table),
        LocalMultiplexer.celebrities(),
        Clock.systemUTC());
  }
}
