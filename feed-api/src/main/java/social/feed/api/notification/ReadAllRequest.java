package social.feed.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The notifications to mark as read.
 *
 * @param upTo notifications until this time, inclusive; all when absent
 */
@Serdeable
@Schema(additionalProperties = Schema.AdditionalPropertiesValue.FALSE)
record ReadAllRequest(@Nullable Instant upTo) {}
