package social.feed.table.row;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A call of a webhook, as its row of deliveries has it.
 *
 * @param eventId the event, which does not say whom it was about
 * @param eventType the type of the event
 * @param at when the call ended
 * @param delivered whether it was a success
 * @param status of the answer; absent without one
 * @param error why it was no success; absent for a success
 * @param tookMs the time of the call in milliseconds
 */
public record WebhookDelivery(
    String eventId,
    String eventType,
    Instant at,
    boolean delivered,
    @Nullable Integer status,
    @Nullable String error,
    long tookMs) {
  /** The longest error that is kept, in characters. */
  private static final int ERROR_MAX = 200;

  public WebhookDelivery {
    if (error != null && error.length() > ERROR_MAX) {
      error = error.substring(0, ERROR_MAX);
    }
  }
}
