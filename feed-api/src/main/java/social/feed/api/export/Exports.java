package social.feed.api.export;

import io.micronaut.http.HttpMethod;
import io.micronaut.json.JsonMapper;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import social.feed.api.edge.cost.CostMetrics;
import social.feed.api.edge.log.RequestFields;
import social.feed.api.edge.pipe.Pipe;
import social.feed.api.edge.security.Viewer;
import social.feed.table.export.AccountData;
import social.feed.table.kernel.cost.CostMeter;
import social.feed.table.notification.Notifications;

/** Runs exports, few concurrently, since an account can have millions of rows. */
@Singleton
final class Exports {
  private final AccountData accountData;
  private final Notifications notifications;
  private final JsonMapper json;
  private final InstantSource clock;
  private final CostMetrics metrics;
  private final ExecutorService threads;
  private final ExportConfiguration configuration;
  private final ExportLimiter limiter;

  Exports(
      AccountData accountData,
      Notifications notifications,
      JsonMapper json,
      InstantSource clock,
      CostMetrics metrics,
      @Named(TaskExecutors.BLOCKING) ExecutorService threads,
      ExportConfiguration configuration,
      ExportLimiter limiter) {
    this.accountData = accountData;
    this.notifications = notifications;
    this.json = json;
    this.clock = clock;
    this.metrics = metrics;
    this.threads = threads;
    this.configuration = configuration;
    this.limiter = limiter;
  }

  /**
   * Starts an export. Its slot is released when it ends, also when no client reads it or the client
   * stops reading.
   *
   * @throws social.feed.api.edge.problem.ProblemException {@code too_many_exports}, {@code
   *     export_busy}
   */
  Pipe open(Viewer viewer) {
    String userId = viewer.userId();
    limiter.acquire(userId);
    boolean isStarted = false;
    try {
      var export =
          new Export(
              accountData.of(userId),
              new ExportLines(
                  userId, viewer.later().relations(), notifications.inbox(userId), clock.instant()),
              json,
              clock,
              configuration,
              hasFailed -> limiter.release(userId, hasFailed));
      threads.execute(RequestFields.carriedInto(() -> run(export)));
      isStarted = true;
      return export.pipe();
    } finally {
      if (!isStarted) {
        limiter.withdraw(userId);
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
    metrics.count(HttpMethod.GET, ExportController.PATH, meter.consumed());
  }
}
