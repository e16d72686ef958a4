package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;

/**
 * The duration of a slow-down.
 *
 * @param until when it ends, in the future and within ten years
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record SlowDownRequest(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @NotNull @MuteRequest.End Instant until) {}
