package social.feed.streams.lambda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Optional;
import social.feed.event.webhook.WebhookCalls;
import social.feed.streams.sink.PacedWebhookLog;
import social.feed.streams.sink.Publisher;
import social.feed.streams.sink.RegisteredWebhooks;
import social.feed.streams.sink.WebhookPublisher;
import social.feed.table.kernel.store.Table;
import social.feed.table.webhook.WebhookHistory;

/** Calls the webhooks of the table, at public addresses only, and writes their deliveries. */
final class WebhookSinks implements AutoCloseable {
  private final RegisteredWebhooks registered;
  private final WebhookCalls calls;
  private final PacedWebhookLog log;
  private final Clock clock = Clock.systemUTC();

  WebhookSinks(RegisteredWebhooks registered, Table table) {
    this(registered, table, new WebhookCalls(false, Clock.systemUTC()));
  }

  /**
   * @param calls closed with this object
   */
  WebhookSinks(RegisteredWebhooks registered, Table table, WebhookCalls calls) {
    this.registered = registered;
    this.calls = calls;
    this.log = new PacedWebhookLog(new WebhookHistory(table, clock));
  }

  /** Returns the publisher of a sink; empty for one that is no webhook. */
  Optional<Publisher> of(String sink) {
    return registered.publisher(
        sink, webhook -> WebhookPublisher.of(calls, webhook, log::add, clock));
  }

  /** Writes the calls of an invocation, as far as they may be written now. */
  void flush() {
    log.flush();
  }

  @Override
  public void close() {
    try {
      calls.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
