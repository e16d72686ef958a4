package social.feed.api.export;

import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import social.feed.api.edge.cost.CostMetrics;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.Viewer;
import social.feed.table.export.AccountData;
import social.feed.table.kernel.cost.CostMeter;

/** Writes exports, a few at a time, since each of them walks through the whole table. */
@Singleton
final class Exports {
  private final AccountData belongings;
  private final JsonMapper json;
  private final InstantSource clock;
  private final CostMetrics metrics;
  private final ExecutorService threads;
  private final ExportConfiguration configuration;
  private final ExportLimiter places;

  Exports(
      AccountData belongings,
      JsonMapper json,
      InstantSource clock,
      CostMetrics metrics,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads,
      ExportConfiguration configuration,
      ExportLimiter places) {
    this.belongings = belongings;
    this.json = json;
    this.clock = clock;
    this.metrics = metrics;
    this.threads = threads;
    this.configuration = configuration;
    this.places = places;
  }

  /**
   * Begins an export. Its place is free again when it has ended, and also when nobody comes for it
   * or goes on reading.
   *
   * @throws social.feed.api.edge.problem.ProblemException {@code too_many_exports}, {@code
   *     export_busy}
   */
  Pipe open(Viewer viewer) {
    String userId = viewer.userId();
    places.take(userId);
    boolean isStarted = false;
    try {
      var export =
          new Export(
              belongings.of(userId),
              new ExportLines(userId, viewer.later().boundary(), clock.instant()),
              json,
              clock,
              configuration,
              () -> places.giveBack(userId));
      threads.execute(() -> run(export));
      isStarted = true;
      return export.pipe();
    } finally {
      if (!isStarted) {
        places.giveBack(userId);
      }
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
