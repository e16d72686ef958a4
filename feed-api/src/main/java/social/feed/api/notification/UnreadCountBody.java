package social.feed.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/**
 * The number of unread notifications.
 *
 * @param count number of notifications
 */
@Serdeable
@Schema(name = "UnreadCount")
record UnreadCountBody(@Schema(requiredMode = Schema.RequiredMode.REQUIRED) long count) {}
