package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A change of a profile; an absent or null field stays.
 *
 * @param handle unique, ignoring case; the previous handle is free for others at once
 * @param displayName 1 to 50 characters in one line
 * @param bio at most 160 characters; an empty one removes it
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record ProfileChangeRequest(
    @Nullable @Schema(pattern = TextRule.HANDLE_PATTERN) @Text(TextRule.HANDLE) String handle,
    @Nullable
        @Schema(
            minLength = TextRule.MIN,
            maxLength = TextRule.DISPLAY_NAME_MAX,
            pattern = TextRule.LINE)
        @Text(TextRule.DISPLAY_NAME)
        String displayName,
    @Nullable
        @Schema(maxLength = TextRule.BIO_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.BIO)
        String bio) {}
