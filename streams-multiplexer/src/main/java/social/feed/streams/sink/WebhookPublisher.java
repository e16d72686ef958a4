package social.feed.streams.sink;

import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import social.feed.event.DomainEvent;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookOutcome;
import social.feed.event.webhook.WebhookSecret;

/**
 * Calls a webhook with each event. A call that is no success is a failure of the sink.
 *
 * @param secrets sign each call; at least one
 * @param seen gets the outcome of each call
 */
public record WebhookPublisher(
    WebhookCalls calls,
    URI address,
    List<WebhookSecret> secrets,
    BiConsumer<DomainEvent, WebhookOutcome> seen)
    implements Publisher {
  @Override
  public void publish(DomainEvent event) {
    var outcome = calls.call(address, secrets, event);
    seen.accept(event, outcome);
    if (!outcome.isDelivered()) {
      throw new IllegalStateException(outcome.error());
    }
  }
}
