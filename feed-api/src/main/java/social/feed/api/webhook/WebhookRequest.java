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
 * A webhook that is to be created.
 *
 * @param url the address: https, with a host that has public addresses only, at most 2048
 *     characters. A platform on one machine also accepts http and addresses inside the network
 * @param eventTypes the types of events that it gets; absent or empty for all public ones
 * @param description what it is for, at most 500 characters
 * @param enabled whether it is called; true when absent
 */
@Serdeable
@Schema(name = "WebhookRequest", additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record WebhookRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            format = "uri",
            minLength = 1,
            maxLength = WebhookCalls.ADDRESS_MAX)
        @Size(min = 1, max = WebhookCalls.ADDRESS_MAX)
        String url,
    @Nullable @Size(max = EventTypes.MAX) @Serdeable.Deserializable(using = StrictStringLists.class)
        List<@NotNull @Pattern(regexp = EventTypes.PATTERN) String> eventTypes,
    @Nullable
        @Schema(maxLength = TextRule.WEBHOOK_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.WEBHOOK)
        String description,
    @Nullable Boolean enabled) {}
