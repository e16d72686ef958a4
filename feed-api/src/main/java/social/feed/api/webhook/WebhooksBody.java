package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * All webhooks.
 *
 * @param items oldest first
 */
@Serdeable
@Schema(name = "Webhooks")
record WebhooksBody(@Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<WebhookBody> items) {}
