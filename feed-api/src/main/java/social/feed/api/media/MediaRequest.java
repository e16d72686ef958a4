package social.feed.api.media;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import social.feed.api.edge.text.Text;
import social.feed.api.edge.text.TextRule;

/**
 * A file that is to be uploaded.
 *
 * @param contentType {@code image/jpeg}, {@code image/png} or {@code image/gif}
 * @param bytes its exact size
 * @param sha256 its SHA-256 digest in lower-case hexadecimal
 * @param alt a description for people who do not see the image, at most 1000 characters
 */
@Serdeable
@Schema(name = "MediaRequest", additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record MediaRequest(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
        @Pattern(regexp = ImageType.PATTERN, message = "must be image/jpeg, image/png or image/gif")
        String contentType,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Min(1) long bytes,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
        @Pattern(regexp = "^[0-9a-f]{64}$", message = "must be 64 lower-case hexadecimal digits")
        String sha256,
    @Nullable
        @Schema(maxLength = TextRule.ALT_MAX, pattern = TextRule.LINES_OR_NOTHING)
        @Text(TextRule.ALT)
        String alt) {}
