package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.WebhookDelivery;

/**
 * A call of a webhook.
 *
 * @param eventId the event; its copies have the same id
 * @param at when the call ended
 * @param delivered whether it was a success: a status from 200 to 299
 * @param status of the answer; absent without one
 * @param error why it was no success
 * @param tookMs the time of the call in milliseconds
 */
@Serdeable
@Schema(name = "WebhookDelivery")
record WebhookDeliveryBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String eventId,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String eventType,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant at,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean delivered,
    @Nullable Integer status,
    @Nullable String error,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) long tookMs) {

  static WebhookDeliveryBody of(WebhookDelivery delivery) {
    return new WebhookDeliveryBody(
        delivery.eventId(),
        delivery.eventType(),
        delivery.at(),
        delivery.delivered(),
        delivery.status(),
        delivery.error(),
        delivery.tookMs());
  }
}
