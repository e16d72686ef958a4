package social.feed.api.post;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * A change of a post.
 *
 * @param visibility who may read it from now on
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record PostChangeRequest(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) PostVisibility visibility) {}
