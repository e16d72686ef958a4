package social.feed.api.webhook;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.json.StrictStringLists;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;
import social.feed.event.webhook.WebhookCalls;

/**
 * A change of a webhook; an absent or null field stays.
 *
 * @param url the address, as in a creation
 * @param eventTypes the types of events that it gets; empty for all public ones
 * @param description at most 500 characters; an empty one removes it
 * @param enabled whether it is called
 * @param rotateSecret true for a new secret, which the response has; for a day calls are signed
 *     with both
 */
@Serdeable
@Schema(
    name = "WebhookChangeRequest",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record WebhookChangeRequest(
    @Nullable
        @Schema(format = "uri", minLength = 1, maxLength = WebhookCalls.ADDRESS_MAX)
        @Size(min = 1, max = WebhookCalls.ADDRESS_MAX)
        String url,
    @Nullable @Size(max = EventTypes.MAX) @Serdeable.Deserializable(using = StrictStringLists.class)
        List<@NotNull @Pattern(regexp = EventTypes.PATTERN) String> eventTypes,
    @Nullable
        @Schema(maxLength = TextRule.WEBHOOK_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.WEBHOOK)
        String description,
    @Nullable Boolean enabled,
    @Nullable Boolean rotateSecret) {}
