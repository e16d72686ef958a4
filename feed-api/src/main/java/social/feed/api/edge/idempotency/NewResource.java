package social.feed.api.edge.idempotency;

import java.time.Instant;

/**
 * What a creation is to use.
 *
 * @param id of what is created
 * @param createdAt its time
 */
public record NewResource(String id, Instant createdAt) {}
