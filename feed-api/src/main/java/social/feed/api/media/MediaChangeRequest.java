package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A change of a file.
 *
 * @param alt a description for people who do not see the image, at most 1000 characters; an empty
 *     one removes it
 */
@Serdeable
@Schema(name = "MediaChangeRequest", additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record MediaChangeRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            maxLength = TextRule.ALT_MAX,
            pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.ALT)
        String alt) {}
