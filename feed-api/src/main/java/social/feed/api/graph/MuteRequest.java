package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long an account is to be muted.
 *
 * @param until when the mute ends, in the future and within ten years; it does not end by itself
 *     when absent
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record MuteRequest(@Nullable Instant until) {}
