package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.text.TextRule;
import social.feed.api.edge.text.ValidationErrors;
import social.feed.table.post.PostText;

/**
 * A new post.
 *
 * @param text 1 to 500 characters; it contains at most 10 {@code #tags} and 10 {@code @handles}
 * @param visibility public by default
 * @param mediaRef reference to media stored elsewhere, 1 to 512 characters
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record PostRequest(
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            minLength = 1,
            maxLength = 500,
            pattern = TextRule.LINES)
        String text,
    @Nullable PostVisibility visibility,
    @Nullable @Schema(minLength = 1, maxLength = 512, pattern = TextRule.LINE) String mediaRef) {
  private static final int TAGS_MAX = 10;
  private static final int MENTIONS_MAX = 10;

  void refuseIfWrong() {
    new ValidationErrors()
        .check("text", TextRule.POST, text)
        .check("media_ref", TextRule.MEDIA_REF, mediaRef)
        .refuseIfAny();
    // Parsing needs a text of bounded length.
    new ValidationErrors()
        .atMost("text", TAGS_MAX, PostText.tags(text).size(), "tags")
        .atMost("text", MENTIONS_MAX, PostText.handles(text).size(), "accounts")
        .refuseIfAny();
  }
}
