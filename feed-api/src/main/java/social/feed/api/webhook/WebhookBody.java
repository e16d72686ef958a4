package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.table.row.Webhook;

/**
 * A webhook.
 *
 * @param url the address that is called
 * @param eventTypes the types of events that it gets; empty for all public ones
 * @param enabled whether it is called
 * @param secret checks the signatures of calls; only in the response that creates or replaces it
 */
@Serdeable
@Schema(name = "Webhook")
record WebhookBody(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String id,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) String url,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) List<String> eventTypes,
    @Nullable String description,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) boolean enabled,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) Instant createdAt,
    @Nullable String secret) {

  static WebhookBody of(Webhook webhook) {
    return body(webhook, null);
  }

  static WebhookBody withSecret(Webhook webhook) {
    return body(webhook, webhook.secret());
  }

  private static WebhookBody body(Webhook webhook, @Nullable String secret) {
    return new WebhookBody(
        webhook.webhookId(),
        webhook.url(),
        webhook.eventTypes(),
        webhook.description(),
        webhook.isEnabled(),
        webhook.createdAt(),
        secret);
  }

  /** Omits the secret, since the text may be logged. */
  @Override
  public String toString() {
    return "WebhookBody[" + id + "]";
  }
}
