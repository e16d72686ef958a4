package social.feed.event.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the call of a webhook ended.
 *
 * @param isDelivered whether the other side has the event: a status from 200 to 299
 * @param status of the answer; absent without one
 * @param error why it is no success, for people; absent for a success
 * @param took the time of the call
 */
public record WebhookOutcome(
    boolean isDelivered, @Nullable Integer status, @Nullable String error, Duration took) {
  static WebhookOutcome delivered(int status, Duration took) {
    return new WebhookOutcome(true, status, null, took);
  }

  static WebhookOutcome refused(int status, Duration took) {
    return new WebhookOutcome(false, status, "The webhook answered " + status, took);
  }

  static WebhookOutcome notCalled(String reason, Duration took) {
    return new WebhookOutcome(false, null, "The webhook could not be called: " + reason, took);
  }
}
