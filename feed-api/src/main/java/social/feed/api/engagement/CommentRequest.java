package social.feed.api.engagement;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import social.feed.api.edge.text.TextRule;
import social.feed.api.edge.text.ValidationErrors;

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
            minLength = 1,
            maxLength = 500,
            pattern = TextRule.LINES)
        String text) {

  void refuseIfWrong() {
    new ValidationErrors().check("text", TextRule.COMMENT, text).refuseIfAny();
  }
}
