package social.feed.api.user;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.text.TextRule;
import social.feed.api.edge.text.ValidationErrors;

/**
 * What is to change in a profile; what is absent or null stays.
 *
 * @param handle unique without regard to case; the one before is free for others at once
 * @param displayName 1 to 50 characters in one line
 * @param bio at most 160 characters; an empty one removes it
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record ProfileChangeRequest(
    @Nullable @Schema(pattern = TextRule.HANDLE) String handle,
    @Nullable @Schema(minLength = 1, maxLength = 50, pattern = TextRule.LINE) String displayName,
    @Nullable @Schema(maxLength = 160, pattern = TextRule.LINES_OR_NOTHING) String bio) {

  void refuseIfWrong() {
    var findings = new ValidationErrors();
    if (handle != null) {
      findings.checkHandle("handle", handle);
    }
    findings
        .check("display_name", TextRule.DISPLAY_NAME, displayName)
        .check("bio", TextRule.BIO, bio)
        .refuseIfAny();
  }
}
