package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A new profile of the caller.
 *
 * @param handle unique, ignoring case
 * @param displayName 1 to 50 characters in one line
 * @param bio at most 160 characters
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record RegistrationRequest(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED, pattern = TextRule.HANDLE_PATTERN)
        @Text(TextRule.HANDLE)
        String handle,
    @Schema(
            requiredMode = Schema.RequiredMode.REQUIRED,
            minLength = TextRule.MIN,
            maxLength = TextRule.DISPLAY_NAME_MAX,
            pattern = TextRule.LINE)
        @Text(TextRule.DISPLAY_NAME)
        String displayName,
    @Nullable
        @Schema(maxLength = TextRule.BIO_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.BIO)
        String bio) {

  /** Treats an empty bio as an absent one. */
  RegistrationRequest {
    bio = bio == null || bio.isEmpty() ? null : bio;
  }
}
