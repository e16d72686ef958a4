package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * All webhooks.
 *
 * @param items oldest first
 * @param unreadable the ids of those whose row in the table cannot be decoded. They get no events
 *     until it is corrected, and can be deleted
 */
@Serdeable
@Schema(name = "Webhooks")
record WebhooksBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<WebhookBody> items,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<String> unreadable) {}
