package social.feed.streams.sink;

import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import social.feed.event.DomainEvent;
import social.feed.event.webhook.WebhookCalls;
import social.feed.event.webhook.WebhookOutcome;
import social.feed.event.webhook.WebhookSecret;
import social.feed.table.kernel.time.Timestamps;
import social.feed.table.row.Webhook;
import social.feed.table.row.WebhookDelivery;

/**
 * Calls a webhook with each event. A status from 400 to 499 refuses the event, except those that
 * concern each call: of the address, the right to call it, or the time. Any other call that is no
 * success is a failure of the sink.
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
  /**
   * Unauthorized, forbidden, not found, method not allowed, proxy authentication, timeout, gone,
   * too early, too many requests.
   */
  private static final Set<Integer> OF_EACH_CALL =
      Set.of(401, 403, 404, 405, 407, 408, 410, 425, 429);

  /**
   * Returns the publisher of a webhook of the table.
   *
   * @param log gets the calls of each webhook
   */
  public static Publisher of(
      WebhookCalls calls, Webhook webhook, BiConsumer<String, WebhookDelivery> log, Clock clock) {
    return new WebhookPublisher(
        calls,
        URI.create(webhook.url()),
        webhook.secrets(clock.instant()).stream().map(WebhookSecret::of).toList(),
        (event, outcome) ->
            log.accept(
                webhook.webhookId(),
                new WebhookDelivery(
                    event.id(),
                    event.type().eventName(),
                    Timestamps.now(clock),
                    outcome.isDelivered(),
                    outcome.status(),
                    outcome.error(),
                    outcome.took().toMillis())));
  }

  @Override
  public void publish(DomainEvent event) {
    var outcome = calls.call(address, secrets, event);
    seen.accept(event, outcome);
    if (outcome.isDelivered()) {
      return;
    }
    var reason = String.valueOf(outcome.error());
    throw isOfTheEvent(outcome.status())
        ? new RefusedEventException(reason)
        : new IllegalStateException(reason);
  }

  private static boolean isOfTheEvent(@Nullable Integer status) {
    return status != null && status >= 400 && status < 500 && !OF_EACH_CALL.contains(status);
  }
}
