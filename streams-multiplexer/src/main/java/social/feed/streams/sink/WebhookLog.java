package social.feed.streams.sink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.WebhookHistory;

/**
 * Writes the calls of webhooks to their rows: the first one at once, later ones together after some
 * time. So a webhook costs at most one write of its row in that time, in each process, at any rate
 * of events. In between only the calls that the row keeps are in memory. A process that is killed
 * loses those.
 */
public final class WebhookLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookLog.class);
  private static final Duration BETWEEN_WRITES = Duration.ofSeconds(10);
  private static final Duration LAST_WRITE = Duration.ofSeconds(5);

  private final WebhookHistory history;
  private final Duration between;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, Thread.ofVirtual().factory());

  /** The calls of each webhook that was written within the time. */
  private final Map<String, List<WebhookDelivery>> waiting = new HashMap<>();

  public WebhookLog(WebhookHistory history) {
    this(history, BETWEEN_WRITES);
  }

  WebhookLog(WebhookHistory history, Duration between) {
    this.history = history;
    this.between = between;
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Notes a call. Does not wait for the table. */
  public void add(String webhookId, WebhookDelivery call) {
    synchronized (waiting) {
      var before = waiting.get(webhookId);
      if (before == null && !timer.isShutdown()) {
        timer.execute(() -> write(webhookId));
      }
      waiting.put(
          webhookId,
          WebhookDeliveries.newest(
              Stream.concat(Stream.ofNullable(before).flatMap(List::stream), Stream.of(call)),
              call.at()));
    }
  }

  private void write(String webhookId) {
    List<WebhookDelivery> calls;
    synchronized (waiting) {
      calls = waiting.getOrDefault(webhookId, List.of());
      if (calls.isEmpty()) {
        // Nothing came since the last write, so the next call is written at once again.
        waiting.remove(webhookId);
        return;
      }
      waiting.put(webhookId, List.of());
      if (!timer.isShutdown()) {
        timer.schedule(() -> write(webhookId), between.toMillis(), TimeUnit.MILLISECONDS);
      }
    }
    try {
      history.add(webhookId, calls);
    } catch (RuntimeException e) {
      LOG.warn("Calls of webhook {} are missing in its deliveries", webhookId, e);
    }
  }

  /** Writes what waits. */
  @Override
  public void close() {
    timer.shutdown();
    try {
      var _ = timer.awaitTermination(LAST_WRITE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    List<String> left;
    synchronized (waiting) {
      left = new ArrayList<>(waiting.keySet());
    }
    left.forEach(this::write);
  }
}
