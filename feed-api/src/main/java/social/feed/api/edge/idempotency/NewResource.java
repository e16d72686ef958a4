package social.feed.api.edge.idempotency;

import java.time.Instant;

/**
 * The identity of a resource that a creation writes.
 *
 * @param id the id of the resource
 * @param createdAt the time of the creation
 */
public record NewResource(String id, Instant createdAt) {}
