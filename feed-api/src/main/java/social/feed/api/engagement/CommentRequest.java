package social.feed.api.engagement;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A new comment.
 *
 * @param text 1 to 500 characters
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record CommentRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            minLength = TextRule.MIN,
            maxLength = TextRule.COMMENT_MAX,
            pattern = TextRule.LINES)
        @Text(TextRule.COMMENT)
        String text) {}
