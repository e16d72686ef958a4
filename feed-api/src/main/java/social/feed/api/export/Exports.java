package social.feed.api.export;

import io.micronaut.context.annotation.Value;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.table.export.Belongings;

/** Writes exports, a few at a time, since each of them walks through the whole table. */
@Singleton
final class Exports {
  private static final Duration LATER = Duration.ofMinutes(1);

  private final Belongings belongings;
  private final JsonMapper json;
  private final InstantSource clock;
  private final int atOnce;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * @param atOnce exports that one process writes at the same time
   */
  Exports(
      Belongings belongings,
      JsonMapper json,
      InstantSource clock,
      @Value("${feed.limits.exports:2}") int atOnce) {
    this.belongings = belongings;
    this.json = json;
    this.clock = clock;
    this.atOnce = atOnce;
  }

  /**
   * The lines of an export; the table is asked when they are read.
   *
   * @throws ProblemException {@code export_busy}
   */
  InputStream of(String userId) {
    if (running.get() >= atOnce) {
      throw new ProblemException(
          ProblemCode.EXPORT_BUSY, "%d exports are being written".formatted(atOnce), LATER);
    }
    return new ExportStream(
        belongings.of(userId),
        new ExportLines(userId, clock.instant()),
        json,
        running::incrementAndGet,
        running::decrementAndGet);
  }
}
