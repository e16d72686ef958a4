package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * The last calls of a webhook.
 *
 * @param items newest first: up to ten successes and ten failures of the last seven days
 */
@Serdeable
@Schema(name = "WebhookDeliveries")
record WebhookDeliveriesBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<WebhookDeliveryBody> items) {}
