package social.feed.streams.sink;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import social.feed.table.row.WebhookDeliveries;
import social.feed.table.row.WebhookDelivery;
import social.feed.table.webhook.WebhookHistory;

/**
 * Writes the calls of webhooks to their rows, for an instance of a function, which stands still
 * between its invocations and may end without notice. {@link #flush} at the end of each invocation
 * writes what waits: each webhook {@value #BURST} times at once, and every ten seconds over time.
 * So the calls of a webhook that has few are listed at once, and many cost no more than {@link
 * WebhookLog} does. What then still waits is written by a later invocation, or lost with the
 * instance.
 */
public final class PacedWebhookLog {
  /** The writes of a webhook that may follow each other at once. */
  public static final int BURST = 6;

  private static final Logger LOG = LoggerFactory.getLogger(PacedWebhookLog.class);
  private static final long BETWEEN_WRITES = Duration.ofSeconds(10).toNanos();

  private final WebhookHistory history;
  private final LongSupplier nanos;

  /** The webhooks that were called. */
  private final Map<String, Waiting> webhooks = new LinkedHashMap<>();

  /**
   * A webhook that was called.
   *
   * @param calls those that are not written yet
   * @param paidUntil the time by which its writes so far would have come at an even pace
   */
  private record Waiting(List<WebhookDelivery> calls, long paidUntil) {}

  public PacedWebhookLog(WebhookHistory history) {
    this(history, System::nanoTime);
  }

  /**
   * @param nanos a clock that only goes forward
   */
  public PacedWebhookLog(WebhookHistory history, LongSupplier nanos) {
    this.history = history;
    this.nanos = nanos;
  }

  /** Notes a call. Only those that the row keeps are in memory. */
  public synchronized void add(String webhookId, WebhookDelivery call) {
    var before = webhooks.getOrDefault(webhookId, new Waiting(List.of(), nanos.getAsLong()));
    webhooks.put(
        webhookId,
        new Waiting(
            WebhookDeliveries.newest(
                Stream.concat(before.calls().stream(), Stream.of(call)), call.at()),
            before.paidUntil()));
  }

  /**
   * Writes what waits and may be written now. A table that fails loses the calls of one webhook,
   * and no event; those of the others wait, so that an invocation does not wait for each.
   */
  public synchronized void flush() {
    long now = nanos.getAsLong();
    // A webhook that was not called for so long is as one that never was.
    webhooks
        .values()
        .removeIf(waiting -> waiting.calls().isEmpty() && waiting.paidUntil() - now <= 0);
    for (var webhook : webhooks.entrySet()) {
      var waiting = webhook.getValue();
      long from = waiting.paidUntil() - now < 0 ? now : waiting.paidUntil();
      if (!waiting.calls().isEmpty() && from - now <= (BURST - 1) * BETWEEN_WRITES) {
        webhook.setValue(new Waiting(List.of(), from + BETWEEN_WRITES));
        if (!isWritten(webhook.getKey(), waiting.calls())) {
          return;
        }
      }
    }
  }

  private boolean isWritten(String webhookId, List<WebhookDelivery> calls) {
    try {
      history.add(webhookId, calls);
      return true;
    } catch (RuntimeException e) {
      LOG.warn("Calls of webhook {} are missing in its deliveries", webhookId, e);
      return false;
    }
  }
}
