package social.feed.api.export;

import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import social.feed.api.cost.CostMetrics;
import social.feed.api.pipe.Pipe;
import social.feed.api.problem.ProblemCode;
import social.feed.api.problem.ProblemException;
import social.feed.table.cost.CostMeter;
import social.feed.table.export.Belongings;

/** Writes exports, a few at a time, since each of them walks through the whole table. */
@Singleton
final class Exports {
  private static final Duration LATER = Duration.ofMinutes(1);

  private final Belongings belongings;
  private final JsonMapper json;
  private final InstantSource clock;
  private final CostMetrics metrics;
  private final ExecutorService threads;
  private final ExportConfiguration configuration;
  private final Semaphore places;

  Exports(
      Belongings belongings,
      JsonMapper json,
      InstantSource clock,
      CostMetrics metrics,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads,
      ExportConfiguration configuration) {
    this.belongings = belongings;
    this.json = json;
    this.clock = clock;
    this.metrics = metrics;
    this.threads = threads;
    this.configuration = configuration;
    this.places = new Semaphore(configuration.exports());
  }

  /**
   * Begins an export. Its place is free again when it has ended, and also when nobody comes for it
   * or goes on reading.
   *
   * @throws ProblemException {@code export_busy}
   */
  Pipe open(String userId) {
    requirePlace(places.tryAcquire());
    boolean isStarted = false;
    try {
      var export =
          new Export(
              belongings.of(userId),
              new ExportLines(userId, clock.instant()),
              json,
              configuration.patience(),
              places::release);
      threads.execute(() -> run(export));
      isStarted = true;
      return export.pipe();
    } finally {
      if (!isStarted) {
        places.release();
      }
    }
  }

  /**
   * Whether one could begin now.
   *
   * @throws ProblemException {@code export_busy}
   */
  void requirePlace() {
    requirePlace(places.availablePermits() > 0);
  }

  private void requirePlace(boolean isFree) {
    if (!isFree) {
      throw new ProblemException(
          ProblemCode.EXPORT_BUSY,
          "%d exports are being written".formatted(configuration.exports()),
          LATER);
    }
  }

  private void run(Export export) {
    CostMeter meter = new CostMeter();
    meter.measure(
        () -> {
          export.run();
          return true;
        });
    metrics.count(ExportController.PATH, meter.consumed());
  }
}
