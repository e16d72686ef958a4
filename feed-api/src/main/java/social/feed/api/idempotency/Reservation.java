package social.feed.api.idempotency;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a creation must use, so that a retry creates the same.
 *
 * @param id of what is created
 * @param createdAt its time
 * @param requestKey the caller's {@code Idempotency-Key}, if any
 */
public record Reservation(String id, Instant createdAt, @Nullable String requestKey) {}
