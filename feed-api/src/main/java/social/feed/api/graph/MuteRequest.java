package social.feed.api.graph;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The duration of a mute.
 *
 * @param until when the mute ends, in the future and within ten years; absent for a mute without an
 *     end
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record MuteRequest(@Nullable Instant until) {}
